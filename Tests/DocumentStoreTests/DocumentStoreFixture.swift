import DocumentStore
import JobModel
import TestSupport
import Vocabulary

/// A store and what it reports.
final class DocumentStoreFixture {
    struct Unexpected: Error {}

    let directory: TemporaryDirectory
    private(set) var store: DocumentStore
    private let usesLinksOnly: Bool
    private let hearers: DocumentHearers
    private let tell: AsyncStream<(JobID, StorageReport)>.Continuation
    private var reports: AsyncStream<(JobID, StorageReport)>.Iterator

    init(usesLinksOnly: Bool = false, hearers: DocumentHearers = DocumentHearers()) throws {
        directory = try TemporaryDirectory()
        (self.usesLinksOnly, self.hearers) = (usesLinksOnly, hearers)
        let (stream, tell) = AsyncStream<(JobID, StorageReport)>.makeStream()
        self.tell = tell
        reports = stream.makeAsyncIterator()
        store = try Self.store(directory, usesLinksOnly, hearers, tell)
    }

    private static func store(
        _ directory: TemporaryDirectory,
        _ usesLinksOnly: Bool,
        _ hearers: DocumentHearers,
        _ tell: AsyncStream<(JobID, StorageReport)>.Continuation
    ) throws -> DocumentStore {
        try DocumentStore(
            stateDirectory: directory.path("state"),
            documentsDirectory: directory.path("documents"),
            usesLinksOnly: usesLinksOnly,
            hearers: hearers
        ) { reports in
            for report in reports { tell.yield(report) }
        }
    }

    deinit { store.shutdown() }

    /// As after a crash: another store in the same directories.
    func restart() throws {
        store.shutdown()
        store = try Self.store(directory, usesLinksOnly, hearers, tell)
    }

    func partial(_ id: Int64, _ bytes: [UInt8]) throws -> JobID {
        try directory.write(bytes, to: "state/partial/\(id).part")
        return JobID(rawValue: id)
    }

    func next() async -> StorageReport? { await reports.next()?.1 }

    func nextOfAny() async -> (JobID, StorageReport)? { await reports.next() }

    /// Returns the path of the document that is published next.
    func published() async -> String? {
        guard case .published(let path, _) = await next() else { return nil }
        return path
    }

    func sealed(
        _ job: JobID,
        _ name: String,
        _ traits: DocumentTraits = DocumentTraits()
    ) async throws -> (SealedPartial, String) {
        store.seal(job, wantedName: WantedName(name), mustHash: false, traits)
        guard case .sealed(let sealed, _, let freeName, _) = await next() else { throw Unexpected() }
        return (sealed, freeName)
    }

    /// Stores a body from memory, and returns what is reported of it.
    func store(
        _ id: Int64,
        _ bytes: [UInt8],
        _ name: String,
        validator: Validator? = nil,
        _ traits: DocumentTraits = DocumentTraits()
    ) async throws -> (reservation: Job.Reservation, path: String, mark: FileMark) {
        let body = BufferedBody(bytes, of: BufferRoom(limit: 0), taken: 0)
        store.store(JobID(rawValue: id), body, validator: validator, wantedName: WantedName(name), traits)
        guard case .stored(let reservation, _, let path, let mark?) = await next() else { throw Unexpected() }
        return (reservation, path, mark)
    }
}
