import Dispatch
import Glibc
import Testing

@testable import JobEngine

/// The thread on which strangers' texts are read.
struct PatientThreadTests {
    @Test("Work is done one after the other, where everybody else comes first")
    func order() async {
        let thread = PatientThread(name: "ff-test")
        let done = Shared<[Int]>([])
        await withTaskGroup(of: Int.self) { group in
            for number in 1...20 {
                group.addTask {
                    await thread.run(for: nil) {
                        done.with { $0.append(number) }
                        return Int(getpriority(Int32(PRIO_PROCESS.rawValue), 0))
                    }
                }
            }
            for await niceness in group { #expect(niceness >= 10) }
        }
        #expect(done.with { $0.sorted() } == Array(1...20))
    }

    @Test("Users take turns, and what was given up is not begun", .timeLimit(.minutes(1)))
    func turns() async throws {
        let thread = PatientThread(name: "ff-test")
        let (gate, begun) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
        let done = Shared<[String]>([])
        @Sendable func add(_ words: String, of user: UInt32) -> Task<Bool, Never> {
            Task { await thread.runIfWanted(for: user) { done.with { $0.append(words) } } != nil }
        }
        // Nothing goes on before this one does.
        let first = Task {
            await thread.run(for: 1) {
                begun.continuation.yield()
                gate.wait()
            }
        }
        for await _ in begun.stream { break }
        var tasks: [Task<Bool, Never>] = []
        for (words, user) in [("a1", 1), ("a2", 1), ("a3", 1), ("b1", 2)] as [(String, UInt32)] {
            let count = thread.waiting
            tasks.append(add(words, of: user))
            while thread.waiting == count { await Task.yield() }
        }
        tasks[1].cancel()
        #expect(await tasks[1].value == false)
        gate.signal()
        await first.value
        for (index, task) in tasks.enumerated() where index != 1 { #expect(await task.value) }
        #expect(done.with { $0 } == ["a1", "b1", "a3"])
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await thread.runIfWanted(for: 1) { true }
        }
        // It may have begun by then.
        _ = await cancelled.value
    }
}
