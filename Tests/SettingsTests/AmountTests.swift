import Testing

@testable import Settings

@Suite("Sizes, durations, networks and media types as people write them")
struct AmountTests {
    @Test(
        "sizes",
        arguments: [
            ("0", 0), ("500000", 500_000), ("256 MiB", 268_435_456), ("2 GB", 2_000_000_000),
            ("10M", 10_485_760),
            ("1.5k", 1536), ("1 MB/s", 1_000_000),
        ] as [(String, Int64)]
    )
    func sizes(text: String, bytes: Int64) { #expect(Amount.bytes(text) == bytes) }

    @Test("what is no size", arguments: ["", "MiB", "1 XB", "-1", "1e99 GB", "0x10", "1 2"])
    func noSizes(text: String) { #expect(Amount.bytes(text) == nil) }

    @Test(
        "durations",
        arguments: [("60", 60), ("250 ms", 0.25), ("5min", 300), ("1 h", 3600), ("7 d", 604_800)]
            as [(String, Double)]
    )
    func durations(text: String, seconds: Double) { #expect(Amount.seconds(text) == seconds) }

    @Test(
        "what is no network",
        arguments: ["", "10.0.0.0/33", "10.0.0/8", "fe80::/129", "example.org", "10.0.0.0/", "1.2.3.4/-1"]
    )
    func noNetworks(text: String) { #expect(Network.canonical(text) == nil) }

    @Test("media ranges", arguments: ["image/*", "image/png", "*/*", "none", "image/svg+xml"])
    func ranges(text: String) { #expect(MediaRange.isValid(text)) }

    @Test("what is no media range", arguments: ["", "image", "*/png", "image/", "image/png; q=1", "a/b/c"])
    func noRanges(text: String) { #expect(!MediaRange.isValid(text)) }
}
