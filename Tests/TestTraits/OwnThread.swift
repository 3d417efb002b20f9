import Dispatch
import Testing

/// Runs each test on a thread of its own instead of the few that all tests share.
///
/// Swift's tasks share as many threads as there are processors. A test that waits for a child process, or
/// decodes a picture in its own process, would keep one of them for as long; on two processors, two such
/// tests stop all others, and those with time limits fail for nothing.
public struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    /// True if tests of suites within the suite are meant, too.
    public var isRecursive: Bool { true }

    /// True if the caller runs on such a thread.
    public static var isCurrent: Bool { DispatchQueue.getSpecific(key: TestThread.mark) == true }

    /// Runs a test, or one case of it, on the thread.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(TestThread()) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// For tests that block: each runs on a thread of its own.
    public static var ownThread: Self { Self() }
}

/// A queue that nobody else's work waits in; Dispatch finds it a thread when there is something to run.
private final class TestThread: TaskExecutor {
    static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "a test's own")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
