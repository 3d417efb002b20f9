import JobModel
import Testing
import Vocabulary

@testable import JobCore

@Suite struct RateLimitTests {
    @Test(
        "A server that has no requests left for us says until when, as a moment or as a duration",
        arguments: [
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000060")], 60),
            ([("x-ratelimit-remaining", "0")], 0),
            ([("RateLimit-Remaining", "0"), ("RateLimit-Reset", "30")], 30),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "999000")], 0),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "soon")], 0),
            ([("X-RateLimit-Remaining", "12"), ("X-RateLimit-Reset", "1000060")], nil),
            ([("X-RateLimit-Remaining", "none")], nil), ([("X-RateLimit-Remaining", "nan")], nil), ([], nil),
        ] as [([(String, String)], Double?)]
    )
    func reset(_ fields: [(String, String)], _ seconds: Double?) throws {
        // Moments since 1970 are told from durations by their size alone.
        let shift = 1_000_000_000.0
        let answer = PageAnswer(
            status: 403,
            fields: fields.map { name, value in
                let isMoment = Double(value).map { $0 > 100_000 } ?? false
                return .init(name: name, value: isMoment ? "\(Int(shift + (Double(value) ?? 0)))" : value)
            },
            url: try JobURL("https://h.example/"),
            length: 0
        )
        let now = Timestamp(microseconds: Int64((shift + 1_000_000) * 1_000_000))
        #expect(answer.rateLimit(now: now) == seconds)
    }

    @Test(
        "A server that asks to be left alone is heard in full",
        arguments: [("7720", 7720), ("86400", 86_400), ("0", 1), ("soon", nil)] as [(String, Double?)]
    )
    func retryAfter(_ value: String, _ seconds: Double?) throws {
        let answer = PageAnswer(
            status: 429,
            fields: [.init(name: "Retry-After", value: value)],
            url: try JobURL("https://h.example/"),
            length: 0
        )
        #expect(answer.retryAfter(now: Timestamp(microseconds: 1_000_000_000_000_000)) == seconds)
    }
}
