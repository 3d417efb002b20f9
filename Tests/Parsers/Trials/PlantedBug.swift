/// A mistake made on purpose, by which the fuzzer shows that it is led by what the readers' code
/// does: blind, it would need 2³² tries, and each of them would have to pass the reader, too.
enum PlantedBug {
    /// Four bytes that no file of the corpus has in the place that is looked at; digits, which a
    /// number has, too.
    static let magic: UInt32 = 0x37_31_39_34

    /// Whether a text that a reader has read begins with the magic bytes.
    ///
    /// They are compared at once: libFuzzer sees both sides of the comparison
    /// (`-fsanitize-coverage=trace-cmp`), where its code has been told to show them.
    static func isHit(by text: String) -> Bool {
        let start = text.utf8.prefix(4)
        return start.count == 4 && start.reduce(0) { $0 << 8 | UInt32($1) } == magic
    }
}
