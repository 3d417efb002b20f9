import Testing

@testable import JobCore

@Suite("What an attempt has brought")
struct AttemptProgressTests {
    /// Bytes, seconds, the rest, and whether that is progress.
    private static let rows: [(Int64, Double, Int64?, Bool)] = [
        (0, 1, 100, false), (-5, 1, 100, false),
        // A byte a request.
        (1, 0.5, 100_000_000, false), (1, 1, 86_400, true), (1, 1, 86_401, false), (1, 0, 1 << 40, true),
        // Nobody knows how much more there is.
        (1, 0.5, nil, false), (1000, 1, nil, true),
        // What a slow line brings, or a rate of our own.
        (300_000, 60, 400_000_000, true), (300_000, 60, 500_000_000, false),
        (1 << 20, 86_400, 1 << 40, true), ((1 << 20) - 1, 86_400, 1 << 40, false),
        // The last byte of a file.
        (1, 7 * 86_400, 0, true),
    ]

    @Test("It is progress if the rest comes within a day at that pace", arguments: rows)
    func table(bytes: Int64, seconds: Double, rest: Int64?, isEnough: Bool) {
        #expect(AttemptProgress(bytes: bytes, seconds: seconds, rest: rest).isEnough == isEnough)
    }
}
