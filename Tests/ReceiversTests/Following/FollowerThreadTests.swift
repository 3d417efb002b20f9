import CurlTransfer
import Synchronization
import Testing

@testable import Receivers

@Suite("The thread of a follower")
struct FollowerThreadTests {
    /// Work that shows nothing but its configuration.
    private struct Loop: FollowerLoop {
        private var configuration: Int?

        mutating func handle(_ mail: FollowerMail<Int, Void>, now: Double) {
            if let configuration = mail.configuration { self.configuration = configuration }
        }

        func step(now: Double) -> FollowerStep { .wait(seconds: nil) }
        func answered(_ answer: PostAnswer, now: Double) {}
        func finish(now: Double) {}
        func status(now: Double) -> Int? { configuration }
    }

    /// A system that starts no thread the first time.
    private final class System: Sendable {
        let starts = Mutex(0)
        /// The times that what was kept has been removed.
        let removals = Mutex(0)

        func start(_ run: @escaping @Sendable () -> Void) throws(CurlTransferError) {
            let number = starts.withLock { starts in
                starts += 1
                return starts
            }
            guard number > 1 else { throw .thread("no more") }
            try BlockingThread(run: run).detach()
        }
    }

    @Test("One that can't be started says what to do, and is started with the next configuration")
    func startsAgain() async {
        let (system, log) = (System(), NotedLog())
        let thread = FollowerThread<Loop>(
            .init(name: "ff-test", lack: "it can't be started", start: system.start),
            logger: log.logger,
            nothing: (),
            idle: nil,
            whenOff: {}
        ) { _ in Loop() }
        thread.configure(1)
        // There is nobody to wait for.
        thread.flush(for: .seconds(60))
        await thread.waitForEnd()
        #expect(thread.status == nil)
        thread.configure(2)
        thread.flush(for: .seconds(60))
        #expect(thread.status == 2 && system.starts.withLock(\.self) == 2)
        thread.configure(3)
        thread.flush(for: .seconds(60))
        #expect(thread.status == 3 && system.starts.withLock(\.self) == 2)
        thread.stop()
        await thread.waitForEnd()
        let lines = log.lines.withLock(\.self)
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("TasksMax=") && $0.hasSuffix("reload the settings") })
    }

    @Test("Without a first configuration there is none, and what was kept is removed")
    func off() async {
        let system = System()
        let thread = FollowerThread<Loop>(
            .init(name: "ff-test", lack: "", start: system.start),
            logger: NotedLog().logger,
            nothing: (),
            idle: nil,
            whenOff: { system.removals.withLock { $0 += 1 } }
        ) { _ in Loop() }
        thread.configure(nil)
        thread.flush(for: .seconds(60))
        await thread.waitForEnd()
        #expect(system.removals.withLock(\.self) == 1 && system.starts.withLock(\.self) == 0)
    }
}
