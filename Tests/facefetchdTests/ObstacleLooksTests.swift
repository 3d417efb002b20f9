import Dispatch
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import facefetchd

@Suite("Looks at what is in the way of a start")
struct ObstacleLooksTests {
    @Test("One that hangs keeps nobody, isn't repeated meanwhile, and counts once it comes back", .ownThread)
    func hanging() {
        let (answers, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = Mutex(0)
        let looks = ObstacleLooks {
            count.withLock { $0 += 1 }
            entered.signal()
            answers.wait()
            return false
        }
        #expect(looks.isThere, "it was there a moment ago")
        for _ in 1...100 { looks.begin() }
        #expect(entered.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(looks.isThere && count.withLock { $0 } == 1)
        answers.signal()
        let end = DispatchTime.now() + .seconds(60)
        while looks.isThere, DispatchTime.now() < end {}
        #expect(!looks.isThere)
    }
}
