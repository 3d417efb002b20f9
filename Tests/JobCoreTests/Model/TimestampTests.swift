import Foundation
import JobCore
import TestSupport
import Testing

struct TimestampTests {
    @Test("A moment reads as RFC 3339 has it, with what is below a millisecond cut off")
    func text() {
        #expect(Timestamp(microseconds: 0).rfc3339 == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(microseconds: 1_795_243_503_611_999).rfc3339 == "2026-11-21T06:45:03.611Z")
        #expect(Timestamp(microseconds: 951_782_400_000_000).rfc3339 == "2000-02-29T00:00:00.000Z")
        #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
        #expect(Timestamp(microseconds: 253_402_300_799_999_999).rfc3339 == "9999-12-31T23:59:59.999Z")
    }

    @Test("Any moment of ten thousand years reads as Foundation has it")
    func sameAsFoundation() {
        var generator = SeededGenerator(seed: 7)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2000 {
            // From the Gregorian calendar's first full year, 1583, on.
            let second = Int64.random(in: -12_212_553_600..<253_402_300_800, using: &generator)
            let expected = Date(timeIntervalSince1970: Double(second)).formatted(style)
            #expect(Timestamp(microseconds: second * 1_000_000).rfc3339 == expected)
        }
    }
}
