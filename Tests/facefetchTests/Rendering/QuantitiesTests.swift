import Testing

@testable import facefetch

@Suite("Numbers as people read them")
struct QuantitiesTests {
    @Test(
        "Sizes have three digits at the most, and never a thousand of a unit",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (9949, "9.9 kB"), (9950, "10 kB"),
            (999_499, "999 kB"), (999_500, "1.0 MB"), (1_234_567, "1.2 MB"), (34_000_000, "34 MB"),
            (2_147_483_648, "2.1 GB"), (Int64.max, "9.2 EB"),
        ]
    )
    func sizes(count: Int64, text: String) { #expect(Quantities.bytes(count) == text) }

    @Test(
        "Stretches of time have two units at the most",
        arguments: [
            (0, "0.0 s"), (0.44, "0.4 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"),
            (59.6, "1 min 0 s"),
            (185, "3 min 5 s"), (7800, "2 h 10 min"), (356_400, "4 d 3 h"), (-1, "–"), (Double.nan, "–"),
        ]
    )
    func durations(seconds: Double, text: String) { #expect(Quantities.duration(seconds) == text) }

    @Test(
        "Elapsed seconds have three decimals, as in the event log",
        arguments: [
            (0, "0.000"), (0.091, "0.091"), (0.5, "0.500"), (1.0009, "1.000"), (12.345, "12.345"),
            (-0.1, "0.000"), (Double.infinity, "0.000"),
        ]
    )
    func elapsed(seconds: Double, text: String) { #expect(Quantities.elapsed(seconds) == text) }

    @Test("Counts agree with their noun, and have commas between thousands")
    func counts() {
        #expect(Quantities.count(0, "face") == "0 faces")
        #expect(Quantities.count(1, "face") == "1 face")
        #expect(Quantities.count(1_234_567, "file") == "1,234,567 files")
        #expect(Quantities.grouped(-1234) == "-1,234")
        #expect(Quantities.grouped(100) == "100")
    }

    @Test("A speed that makes no sense is shown as none")
    func strangeRates() {
        #expect(Quantities.rate(.nan) == "0 B/s")
        #expect(Quantities.rate(3_200_000) == "3.2 MB/s")
        #expect(Quantities.rate(1e300).hasSuffix("EB/s"))
    }
}
