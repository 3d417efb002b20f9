import GRDB
import JobModel
import Vocabulary

@testable import JobEngine
@testable import JobStore
@testable import SourceEngine

/// The engine as sources have it.
struct SimulatedSourceControl: FeedControl, @unchecked Sendable {
    unowned let sources: SimulatedSources

    init(_ sources: SimulatedSources) { self.sources = sources }

    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch {
        try await ask { .submit(submission, reply: $0) }
    }

    func keep(_ write: SourceWrite) async throws(ControlError) { try await ask { .keep(write, reply: $0) } }

    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job {
        try await ask { .steer(action, job, reply: $0) }
    }

    private func ask<Value: Sendable>(
        _ input: (@escaping EngineInput.Reply<Value>) -> EngineInput
    ) async throws(ControlError) -> Value {
        let nothing = Result<Value, ControlError>.failure(.stopping)
        let answer = await sources.wait(for: nil, orElse: nothing) { resume in
            sources.life.post(
                input { [sources] answer in sources.later(0) { resume { answer } } }
            )
        }
        return try answer.get()
    }

    var holdsTransfers: Bool { isOffline }

    var isOffline: Bool { sources.life.core?.status.holds.contains { $0.kind == .network } ?? false }

    var events: EventBus { EventBus() }
}

/// The store as sources read it, at once.
struct SimulatedQueries: SourceQueries, @unchecked Sendable {
    unowned let owner: SimulatedSources

    init(_ owner: SimulatedSources) { self.owner = owner }

    /// Reads on this thread, since readers of their own would have an order of their own.
    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard !owner.life.isDead else { throw StoreFailure.broken("the daemon has ended") }
        return try owner.life.store.real.database.read(body)
    }

    func sources() async throws -> [SourceRow] { try read(JobStore.sources) }
    func knownItems(_ hashes: [ItemHash], of source: Int64) async throws -> [ItemHash: KnownItem] {
        try read { try JobStore.knownItems(hashes, of: source, $0) }
    }
    func unfinishedJobs(ofSource name: String, upTo most: Int) async throws -> Int {
        try read { try JobStore.unfinishedJobs(ofSource: name, upTo: most, $0) }
    }

    // Nobody here asks for these.
    func fetchedItems(of source: Int64, after: ItemHash?, limit: Int) async throws -> [FetchedItem] { [] }
    func fetchedItem(_ hash: ItemHash, of source: Int64) async throws -> FetchedItem? { nil }
    func job(_ id: JobID) async throws -> Job? { nil }
    func hasKeys(source: Int64) async throws -> Bool { false }
    func slices(of source: Int64) async throws -> [SliceRow] { [] }
    func pages(of source: Int64) async throws -> [String] { [] }
    func jobsByState(ofSource name: String) async throws -> [JobState: Int] { [:] }
    func handedItems(after: Int64, limit: Int) async throws -> [HandedItem] { [] }
    func handedItems(ofSource name: String) async throws -> [Int64] { [] }
    func handedCount(ofSource name: String) async throws -> Int { 0 }
    func cancellableJobs(ofSource name: String) async throws -> [JobID] { [] }
}
