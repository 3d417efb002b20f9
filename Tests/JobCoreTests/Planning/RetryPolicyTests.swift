import JobCore
import JobModel
import TestSupport
import Testing

@Suite("The retry policy")
struct RetryPolicyTests {
    private let failure = JobFailure(.connectFailed, "example.org does not answer")
    private let now = Moment(microseconds: 1_795_243_503_000_000)

    private func wait(
        tries: Int,
        retryAfter: Double? = nil,
        struggled: Double = 0,
        seed: UInt64 = 1,
        policy: RetryPolicy = RetryPolicy()
    ) -> Double? {
        var generator = SeededGenerator(seed: seed)
        let decision = policy.decide(
            after: failure,
            tries: tries,
            struggled: struggled,
            retryAfter: retryAfter,
            now: now,
            using: &generator
        )
        guard case .wait(let until) = decision else { return nil }
        return until.seconds(since: now)
    }

    @Test(
        "waits at random between nothing and a ceiling that doubles, up to 600 s",
        arguments: zip([0, 1, 2, 3, 5, 10, 11, 19], [1, 1, 2, 4, 16, 512, 600, 600] as [Double])
    )
    func ceiling(tries: Int, ceiling: Double) throws {
        let waits = try (1...200).map { try #require(wait(tries: tries, seed: $0)) }
        #expect(waits.allSatisfy { (0...ceiling).contains($0) })
        // Full jitter uses the whole width: 200 draws that all miss a quarter of it are one in 10^25.
        #expect(waits.contains { $0 < ceiling / 4 })
        #expect(waits.contains { $0 > ceiling * 3 / 4 })
    }

    @Test("waits at least as long as the server asks")
    func retryAfter() throws {
        #expect(wait(tries: 1, retryAfter: 120) == 120)
        for seed in 1...50 as ClosedRange<UInt64> {
            #expect(try #require(wait(tries: 15, retryAfter: 30, seed: seed)) >= 30)
        }
    }

    @Test("keeps what the server asks for within 1 s and 1 h")
    func retryAfterBounds() throws {
        #expect(wait(tries: 1, retryAfter: 1_000_000) == 3600)
        #expect(try #require(wait(tries: 1, retryAfter: -5)) >= 1)
    }

    @Test("gives up at the twentieth try that counts, and says what it ended with")
    func givesUpByTries() {
        #expect(wait(tries: 19) != nil)
        var generator = SeededGenerator(seed: 1)
        let decision = RetryPolicy().decide(
            after: failure,
            tries: 20,
            struggled: 0,
            retryAfter: nil,
            now: now,
            using: &generator
        )
        #expect(
            decision
                == .giveUp(JobFailure(.connectFailed, "example.org does not answer (20 tries in a row)"))
        )
    }

    @Test("gives up after seven days")
    func givesUpByAge() {
        #expect(wait(tries: 3, struggled: 7 * 86_400 - 1) != nil)
        var generator = SeededGenerator(seed: 1)
        let decision = RetryPolicy().decide(
            after: failure,
            tries: 3,
            struggled: 7 * 86_400,
            retryAfter: nil,
            now: now,
            using: &generator
        )
        #expect(decision == .giveUp(JobFailure(.connectFailed, "example.org does not answer (for 7 days)")))
    }

    @Test("takes both limits from whoever makes it")
    func limits() {
        #expect(wait(tries: 2, policy: RetryPolicy(maximumTries: 2)) == nil)
        #expect(wait(tries: 1, struggled: 60, policy: RetryPolicy(maximumAge: 60)) == nil)
    }

    @Test("decides the same for the same seed")
    func seeded() {
        #expect(wait(tries: 8, seed: 42) == wait(tries: 8, seed: 42))
        #expect(wait(tries: 8, seed: 42) != wait(tries: 8, seed: 43))
    }
}
