import TestSupport
import Testing

@testable import SourceCore

@Suite struct FailurePlanTests {
    private func outcome(
        _ failure: SourceFailure,
        failures: Int = 1,
        since: Double = 0,
        retryAfter: Double? = nil,
        now: Double = 0
    ) -> FailurePlan.Outcome {
        var generator = SeededGenerator(seed: UInt64(failures))
        return FailurePlan.outcome(
            failure,
            failures: failures,
            since: since,
            retryAfter: retryAfter,
            now: now,
            using: &generator
        )
    }

    @Test(
        "What somebody has to mend rests for a day",
        arguments: [
            SourceFailure(.unexpectedType, ""), .init(.unexpectedShape, ""), .init(.tooLarge, ""),
            .init(.noSecret, ""),
            .init(.noProgress, ""), .init(.unauthorized, "", status: 401),
            .init(.unauthorized, "", status: 403),
            .init(.unexpectedStatus, "", status: 304),
        ]
    )
    func failed(_ failure: SourceFailure) { #expect(outcome(failure, now: 5) == .failed(tryAgainAt: 86_405)) }

    @Test(
        "What may pass by itself is tried again, each time later, up to six hours",
        arguments: [(1, 60.0), (2, 120), (3, 240), (9, 15_360), (10, 21_600), (1000, 21_600)]
    )
    func waits(_ failures: Int, _ seconds: Double) {
        for failure in [
            SourceFailure(.connection, ""), .init(.unexpectedStatus, "", status: 500),
            .init(.unexpectedStatus, "", status: 429), .init(.unexpectedStatus, "", status: 404),
        ] {
            guard case .wait(let until) = outcome(failure, failures: failures) else {
                Issue.record("\(failure) isn't waited for")
                continue
            }
            #expect((seconds * 0.9...seconds * 1.1).contains(until))
        }
    }

    @Test("Retry-After is obeyed, up to a day")
    func retryAfter() {
        let busy = SourceFailure(.unexpectedStatus, "", status: 503)
        #expect(outcome(busy, retryAfter: 1000) == .wait(until: 1000))
        #expect(outcome(busy, retryAfter: 1e9) == .wait(until: 86_400))
        #expect(outcome(busy, failures: 10, retryAfter: 1) != .wait(until: 1))
    }

    @Test("A missing page may be missing for three days, one that is gone ends the source")
    func missing() {
        let missing = SourceFailure(.unexpectedStatus, "", status: 404)
        #expect(outcome(missing, failures: 20, now: 3 * 86_400) == .failed(tryAgainAt: 4 * 86_400))
        #expect(outcome(SourceFailure(.unexpectedStatus, "", status: 410)) == .ended)
    }

    @Test("A reader's death costs a retry at once, five in a row are the page's fault")
    func crashes() {
        #expect(outcome(SourceFailure(.readerCrashed, ""), failures: 1) == .wait(until: 1))
        guard case .wait = outcome(SourceFailure(.readerCrashed, ""), failures: 4) else {
            Issue.record("a crash isn't waited for")
            return
        }
        #expect(outcome(SourceFailure(.readerTimedOut, ""), failures: 5) == .failed(tryAgainAt: 86_400))
        // More memory there won't be.
        #expect(outcome(SourceFailure(.tooMuchMemory, ""), failures: 1) == .failed(tryAgainAt: 86_400))
    }

    @Test(
        "Only a page is a page; a 304 that nobody asked for is an error",
        arguments: [
            (200, nil), (203, nil), (401, .unauthorized), (404, .unexpectedStatus), (204, .unexpectedStatus),
            (500, .unexpectedStatus),
        ]
            as [(Int, SourceFailure.Code?)]
    )
    func status(_ status: Int, _ code: SourceFailure.Code?) {
        #expect(SourceFailure(status: status, wasConditional: false)?.code == code)
        #expect(SourceFailure(status: 304, wasConditional: true) == nil)
        #expect(SourceFailure(status: 304, wasConditional: false)?.code == .unexpectedStatus)
    }

    @Test("Every failure says what to do, once", arguments: SourceFailure.Code.allCases)
    func advice(_ code: SourceFailure.Code) {
        for status in [nil, 404, 410, 418, 429, 503] {
            let sentence = SourceFailure(code, "it went wrong", status: status).sentence
            #expect(sentence.hasPrefix("it went wrong; "))
            #expect(sentence.count > "it went wrong; ".count && !sentence.hasSuffix("."))
            #expect(
                SourceFailure(code, "it went wrong; do that", status: status).sentence
                    == "it went wrong; do that"
            )
            #expect(
                SourceFailure(code, "it is the text \"a; b\"", status: status).sentence
                    .hasPrefix("it is the text \"a; b\"; ")
            )
        }
    }
}
