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
                    await thread.run {
                        done.with { $0.append(number) }
                        return Int(getpriority(Int32(PRIO_PROCESS.rawValue), 0))
                    }
                }
            }
            for await niceness in group { #expect(niceness >= 10) }
        }
        #expect(done.with { $0.sorted() } == Array(1...20))
    }
}
