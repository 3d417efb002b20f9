import Testing
import Vocabulary

@testable import JobModel

@Suite("The limits of hosts")
struct HostRulesTests {
    private static let rules = HostRules(
        standard: HostLimits(perHost: 1),
        named: [
            "example.org": HostLimits(perHost: 2), "*.example.org": HostLimits(perHost: 3),
            "*.img.example.org": HostLimits(perHost: 4), "A.img.Example.org": HostLimits(perHost: 5),
            "192.0.2.1": HostLimits(perHost: 6), "::1": HostLimits(perHost: 7),
        ]
    )

    @Test(
        "Of the names that fit, the longest counts",
        arguments: [
            ("example.com", 1), ("example.org", 2), ("www.example.org", 3), ("b.c.example.org", 3),
            ("img.example.org", 3), ("b.img.example.org", 4), ("a.img.example.org", 5), ("notexample.org", 1),
            ("192.0.2.1", 6), ("192.0.2.11", 1), ("::1", 7), ("org", 1), ("", 1),
        ]
    )
    func match(host: String, expected: Int) { #expect(Self.rules.limits(of: host).perHost == expected) }

    @Test("Limits are at least 1")
    func lowest() {
        let limits = HostLimits(pace: Pace(requests: 0, per: -1), perHost: 0, rateLimit: -5)
        #expect(limits.pace == Pace(requests: 1, per: 1) && limits.perHost == 1 && limits.rateLimit == 1)
    }
}
