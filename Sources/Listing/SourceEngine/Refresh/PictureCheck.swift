import JobCore
import JobModel
import SourceCore
import Vocabulary

/// Asks servers whether they have other versions of pictures than those that were fetched.
///
/// The request is that of a transfer, with conditions, and goes by the rules of transfers. Not HEAD, which
/// servers answer less well, and signed URLs not at all: a body is given up when it begins.
struct PictureCheck: Sendable {
    let requests: PictureRequests
    let pages: any PagePort

    /// The seconds that an answer may take.
    static let timeLimit = 30.0

    /// Asks the server about the picture of an item; nil if that was cancelled.
    func outcome(of item: FetchedItem, now: Timestamp) async -> RefreshBatch.Outcome? {
        guard let text = item.url, let url = try? Self.url(text) else {
            return .impossible("its stored URL can no longer be read")
        }
        let request: PageRequest
        do throws(JobFailure) {
            request = try self.request(for: item, at: url)
        } catch {
            return .impossible(error.message)
        }
        switch await pages.fetch(request) {
        case .success(let answer): return .answered(Self.verdict(answer, on: item, now: now))
        case .failure(.cancelled): return nil
        case .failure(.connection(let failure)), .failure(.storage(let failure)):
            return .unreachable(failure.message)
        case .failure(.refused(let failure)): return .impossible(failure.message)
        case .failure(.tooLarge): return .unreachable("the server's answer is too large")
        }
    }

    private static func url(_ text: String) throws(JobURL.Refusal) -> JobURL {
        try text.hasPrefix("s3://") ? JobURL(object: text) : JobURL(text)
    }

    private func request(for item: FetchedItem, at url: JobURL) throws(JobFailure) -> PageRequest {
        var transfer = TransferRequest(job: item.job, url: url, partialPath: "", resume: nil)
        transfer.source = requests.source.name
        let asked = try requests.complete(transfer)
        // Nothing is written.
        var request = PageRequest(
            url: asked.url,
            file: "/dev/null",
            maximumLength: 0,
            timeLimit: Self.timeLimit
        )
        request.wantsHeadOnly = true
        request.mayBeCompressed = false
        request.fields = item.version.validators.fields.map { .init(name: $0.name, value: $0.value) }
        request.ownFields = asked.headers.map { .init(name: $0.name, value: $0.value) }
        request.signature = asked.signature
        request.isObject = asked.isObject
        request.plainHTTP = requests.source.recipe.insecure
        return request
    }

    /// Returns the meaning of an answer for an item's picture.
    static func verdict(_ answer: PageAnswer, on item: FetchedItem, now: Timestamp) -> RefreshVerdict {
        let isWhole = answer.values("content-encoding").allSatisfy { $0.lowercased() == "identity" }
        let length = isWhole ? answer.values("content-length").first.flatMap { Int64($0) } : nil
        return RefreshVerdict(
            status: answer.status,
            validators: DocumentValidators(
                entityTag: answer.values("etag").first,
                lastModified: answer.values("last-modified").first,
                length: length
            ),
            isAccepted: answer.isAcceptedType,
            retryAfter: answer.retryAfter(now: now),
            before: item.version.validators
        )
    }
}

extension PictureVersion {
    /// The validators of the next request.
    var validators: DocumentValidators {
        DocumentValidators(entityTag: entityTag, lastModified: lastModified, length: length)
    }

    /// A version that a server has just confirmed.
    init(_ validators: DocumentValidators, seenAt: SteadyTime) {
        self.init(
            entityTag: validators.entityTag,
            lastModified: validators.lastModified,
            length: validators.length,
            seenAt: seenAt
        )
    }
}
