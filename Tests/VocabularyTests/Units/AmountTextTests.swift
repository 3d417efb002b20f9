import Testing
import Vocabulary

@Suite("Amounts of bytes as people write them")
struct AmountTextTests {
    @Test(
        "amounts",
        arguments: [
            ("0", 0), ("500000", 500_000), ("12 B", 12), ("500 kB", 500_000), ("500k", 512_000),
            ("1.5k", 1536),
            ("32M", 33_554_432), ("32 MiB", 33_554_432), ("32MIB", 33_554_432), ("32 MB", 32_000_000),
            ("256 MiB", 268_435_456), ("2 GB", 2_000_000_000), ("1g", 1_073_741_824),
            ("1 T", 1_099_511_627_776),
            ("1 tb", 1_000_000_000_000), (" 5 ", 5),
        ] as [(String, Int64)]
    )
    func amounts(text: String, bytes: Int64) { #expect(AmountText.bytes(text) == bytes) }

    @Test(
        "rates",
        arguments: [("500000", 500_000), ("500k", 512_000), ("1 MB/s", 1_000_000), ("32 MiB /S", 33_554_432)]
            as [(String, Int64)]
    )
    func rates(text: String, bytes: Int64) { #expect(AmountText.rate(text) == bytes) }

    @Test(
        "what is no amount",
        arguments: [
            "", "MiB", "1 XB", "-1", "+1", "1e99 GB", "99999999999 GB", "0x10", "1 2", "1k1", "1 MB/",
            "1 MB/min",
            "1 MB s", "1 Mbit", "fast", "1,5M",
        ]
    )
    func none(text: String) { #expect(AmountText.bytes(text) == nil) }

    @Test("no rate is none, and none is beyond all networks")
    func rateBounds() {
        #expect(AmountText.rate("0") == nil)
        #expect(AmountText.rate("1") == 1)
        #expect(AmountText.rate("1024 T") == 1 << 50)
        #expect(AmountText.rate("1025 T") == nil)
    }

    @Test("what shows the form has it")
    func examples() {
        #expect(["500000", "32M", "256 MiB", "2 GB"].allSatisfy { AmountText.bytes($0) != nil })
        #expect(["500000", "500k", "2M", "10 MB/s"].allSatisfy { AmountText.rate($0) != nil })
    }
}
