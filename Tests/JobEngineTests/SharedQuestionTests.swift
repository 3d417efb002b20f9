import Synchronization
import Testing

@testable import JobEngine

@Suite("A question that many ask")
struct SharedQuestionTests {
    @Test(
        "is answered once for all who ask while an answer is made, and no answer is older than its question"
    )
    func shared() async {
        let question = SharedQuestion<Int>()
        let made = Mutex(0)
        let (begun, isBegun) = AsyncStream<Void>.makeStream()
        let (leave, mayLeave) = AsyncStream<Void>.makeStream()
        let next: @Sendable () -> Int = {
            made.withLock { made in
                made += 1
                return made
            }
        }
        async let first = question.answer {
            isBegun.finish()
            for await _ in leave {}
            return next()
        }
        for await _ in begun {}
        await withTaskGroup(of: Int.self) { group in
            for _ in 1...400 { group.addTask { await question.answer { next() } } }
            mayLeave.finish()
            // Some may have asked only when the second answer was being made.
            for await answer in group { #expect(answer > 1) }
        }
        #expect(await first == 1)
        let all = made.withLock { $0 }
        #expect(all <= 401)
        #expect(await question.answer { next() } == all + 1, "what is asked later is made anew")
    }
}
