import Foundation
import JobModel
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

    @Test("What is written is read as the same moment, to the millisecond")
    func roundTrip() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<5000 {
            let milliseconds = Int64.random(in: -62_167_219_200_000..<253_402_300_800_000, using: &generator)
            let moment = Timestamp(microseconds: milliseconds * 1000)
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
        }
    }

    @Test(
        "Every form of RFC 3339 is read, and nothing else",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:01z", 1_000_000),
            ("1970-01-01 00:00:00.5Z", 500_000), ("1970-01-01T00:00:00.1234567Z", 123_456),
            ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:29:00-00:31", 0),
            ("1990-12-31T23:59:60Z", 662_688_000_000_000), ("2000-02-29T00:00:00Z", 951_782_400_000_000),
            ("1900-02-29T00:00:00Z", nil), ("1970-13-01T00:00:00Z", nil), ("1970-00-01T00:00:00Z", nil),
            ("1970-04-31T00:00:00Z", nil), ("1970-01-01T24:00:00Z", nil), ("1970-01-01T00:60:00Z", nil),
            ("1970-01-01T00:00:00", nil), ("1970-01-01T00:00:00.Z", nil), ("1970-01-01", nil), ("", nil),
            ("1970-01-01T00:00:00+24:00", nil), ("1970-01-01T00:00:00+0100", nil), ("yesterday", nil),
            ("1970-01-01T00:00:00Z ", nil), ("٢٩٧٠-01-01T00:00:00Z", nil), ("-970-01-01T00:00:00Z", nil),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000), ("0000-01-01T00:00:00+00:01", nil),
            ("9999-12-31T23:59:60Z", nil), ("9999-12-31T23:59:59-00:01", nil),
        ] as [(String, Int64?)]
    )
    func forms(text: String, microseconds: Int64?) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
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
