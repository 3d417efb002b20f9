import ControlAPI
import Dispatch
import JobCore
import JobEngine
import JobModel
import Synchronization
import Vocabulary

/// Finds the groups of documents that are alike, and keeps the last ones found while somebody reads their pages.
///
/// A million documents take some seconds of a processor and a hundred megabytes, so this is done on a thread of its
/// own, for one client at a time.
final class Duplicates: Sendable {
    /// A question.
    struct Query: Hashable, Sendable {
        var filter: JobFilter
        var endedAfter: Int64?
        var distance: Int
    }

    /// An answer, from which pages are cut.
    final class Answer: Sendable {
        /// The part of its pages' cursors that tells it from other answers.
        let token = UInt64.random(in: 1...UInt64.max)
        let jobs: [Int64]
        let groups: LikenessGroups

        init(jobs: [Int64], groups: LikenessGroups) {
            self.jobs = jobs
            self.groups = groups
        }
    }

    private struct State {
        /// True while groups are being found.
        var isBusy = false
        /// The last answers, the newest at the end, and how often each was read.
        var kept: [(answer: Answer, reads: Int)] = []
    }

    /// The most answers that are kept: at most 16 bytes for each document that was compared.
    private static let mostKept = 2
    /// The time after which an answer is dropped that nobody has read a page of.
    private static let patience = Duration.seconds(600)

    private let queue = DispatchQueue(label: "ff-duplicates", qos: .utility)
    private let state = Mutex(State())

    /// Finds the groups that a question is about, and keeps them for further pages.
    ///
    /// - Throws: ``LikenessFailure``, ``Busy``, and whatever the queries throw.
    func find(_ query: Query, among queries: any JobQueries) async throws -> Answer {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { throw Busy() }
        defer { state.withLock { $0.isBusy = false } }
        let documents = Holder(
            try await queries.likenessDocuments(query.filter, endedAfter: query.endedAfter)
        )
        try Task.checkCancellation()
        let answer = try await groups(of: documents, distance: query.distance)
        // All is said on the first page where there is nothing.
        if answer.groups.count > 0 { keep(answer) }
        return answer
    }

    /// The failure where groups are being found for somebody else.
    struct Busy: Error {}

    /// Returns the answer with a token; nil if it isn't kept any more.
    func kept(_ token: UInt64) -> Answer? {
        let found = state.withLock { state -> (answer: Answer, reads: Int)? in
            guard let place = state.kept.firstIndex(where: { $0.answer.token == token }) else { return nil }
            state.kept[place].reads += 1
            return state.kept[place]
        }
        if let found { dropLater(found.answer, unlessReadAfter: found.reads) }
        return found?.answer
    }

    /// Drops an answer whose last page has been read.
    func drop(_ answer: Answer) {
        state.withLock { state in state.kept.removeAll { $0.answer.token == answer.token } }
    }

    private func keep(_ answer: Answer) {
        state.withLock { state in
            state.kept.append((answer, 0))
            if state.kept.count > Self.mostKept { state.kept.removeFirst() }
        }
        dropLater(answer, unlessReadAfter: 0)
    }

    private func dropLater(_ answer: Answer, unlessReadAfter reads: Int) {
        let token = answer.token
        Task {
            try? await Task.sleep(for: Self.patience)
            state.withLock { state in state.kept.removeAll { $0.answer.token == token && $0.reads == reads } }
        }
    }

    /// Documents in one place, so that their memory goes as they are compared.
    private final class Holder: Sendable {
        private let documents: Mutex<LikenessDocuments>

        init(_ documents: LikenessDocuments) { self.documents = Mutex(documents) }

        /// Removes and returns them.
        func release() -> LikenessDocuments {
            documents.withLock { documents in
                defer { documents = LikenessDocuments() }
                return documents
            }
        }
    }

    private func groups(of holder: Holder, distance: Int) async throws -> Answer {
        let isCancelled = Atomic(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    let documents = holder.release()
                    let jobs = documents.jobs
                    do throws(LikenessFailure) {
                        let groups = try LikenessGroups.find(documents, distance: distance) {
                            !isCancelled.load(ordering: .relaxed)
                        }
                        continuation.resume(returning: Answer(jobs: jobs, groups: groups))
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }
}

/// The place at which a page of duplicates begins.
struct DuplicatesCursor: Hashable, Sendable {
    /// The answer that is read.
    var token: UInt64
    /// The number of documents before it.
    var place: Int

    init(token: UInt64, place: Int) {
        self.token = token
        self.place = place
    }

    /// Reads a cursor as it was given out; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.isHex(count: 16), let token = UInt64(parts[0], radix: 16),
            let place = Int64(decimal: String(parts[1])), place >= 0, let place = Int(exactly: place)
        else { return nil }
        self.init(token: token, place: place)
    }

    /// The cursor as it is given out.
    var text: String { "\(token.hexText)-\(place)" }
}
