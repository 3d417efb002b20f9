extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits each, as checksums are written.
    public var hexText: String {
        let bytes = ContiguousArray(self)
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = Self.hexDigit(byte >> 4)
                text[2 * index + 1] = Self.hexDigit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
