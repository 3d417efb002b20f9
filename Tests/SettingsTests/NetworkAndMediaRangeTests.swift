import Testing

@testable import Settings

@Suite("Networks and media types as people write them")
struct NetworkAndMediaRangeTests {
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
