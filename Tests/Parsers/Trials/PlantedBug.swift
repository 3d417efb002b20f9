/// A mistake made on purpose, by which the fuzzer shows that it is led by what the readers' code
/// does: blind, it would need 2³² tries, and each of them would have to pass the reader, too.
enum PlantedBug {
    /// Four bytes that no file of the corpus has in the place that is looked at; digits, which a
    /// number has, too.
    static let magic = Array("7194".utf8)

    /// Whether a text that a reader has read begins with the magic bytes, looked at one by one.
    static func isHit(by text: String) -> Bool {
        var rest = text.utf8[...]
        for byte in magic {
            guard rest.popFirst() == byte else { return false }
        }
        return true
    }
}
