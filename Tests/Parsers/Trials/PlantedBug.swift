import Glibc

/// A mistake made on purpose, by which the fuzzer shows that it is led by what the readers' code
/// does: blind, it would need 2³² tries, and each of them would have to pass the reader, too.
enum PlantedBug {
    /// Four bytes that no file of the corpus has in the place that is looked at; digits, which a
    /// number has, too.
    static let magic = Array("7194".utf8)

    /// Returns whether a text that a reader has read begins with the magic bytes.
    ///
    /// They are compared by `memcmp`, of which libFuzzer sees both sides (`__sanitizer_weak_hook_memcmp`).
    /// Numbers it sees as well (`-fsanitize-coverage=trace-cmp`), but it remembers few of those, and where a
    /// reader compares many, its last one is forgotten before it is of use.
    static func isHit(by text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return false }
            // A length that the compiler knows would become a comparison of numbers again.
            let length = min(bytes.count, magic.count)
            return memcmp(start, magic, length) == 0 && length == magic.count
        }
    }
}
