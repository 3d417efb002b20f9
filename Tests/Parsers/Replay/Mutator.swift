import TestSupport

/// Changes inputs a little, or a little more, in the ways that readers stumble over: bits and bytes
/// changed, pieces left out, doubled, moved, or taken from another input, numbers at their ends.
struct Mutator {
    private var generator: SeededGenerator
    private let inputs: [[UInt8]]

    /// The longest input that is made, in bytes.
    private static let maximumLength = 4096
    private static let words: [[UInt8]] =
        [
            "0", "-1", "9223372036854775807", "9223372036854775808", "1e300", "\"", "\\", "'", "%00", "%2f",
            "%",
            "\r\n", "\n", ";", ",", ":", "/", "//", "..", "@", "#", "?", "*", "[", "]", "{", "}", "\u{0}",
            "\u{7F}",
            "\u{202E}", "\u{2028}", "é", "\u{FEFF}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80], [0xED, 0xA0, 0x80]]

    init(seed: UInt64, inputs: [[UInt8]]) {
        generator = SeededGenerator(seed: seed)
        self.inputs = inputs
    }

    /// The next input.
    mutating func next() -> [UInt8] {
        var bytes = inputs.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &generator) { change(&bytes) }
        return Array(bytes.prefix(Self.maximumLength))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let piece = range(in: bytes)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes.replaceSubrange(piece, with: [])
        case 1: bytes.insert(contentsOf: bytes[piece], at: place(in: bytes))
        case 2:
            bytes.insert(contentsOf: Self.words.randomElement(using: &generator) ?? [], at: place(in: bytes))
        case 3: bytes.replaceSubrange(piece, with: Self.words.randomElement(using: &generator) ?? [])
        case 4:
            let other = inputs.randomElement(using: &generator) ?? []
            bytes.replaceSubrange(piece, with: other[range(in: other)])
        case 5: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place(in: bytes))
        case 6 where !bytes.isEmpty:
            bytes[piece.lowerBound % bytes.count] = .random(in: 0...255, using: &generator)
        case _ where !bytes.isEmpty:
            bytes[piece.lowerBound % bytes.count] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default: break
        }
    }

    private mutating func place(in bytes: [UInt8]) -> Int {
        Int.random(in: 0...bytes.count, using: &generator)
    }

    /// Short pieces more often than long ones.
    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = place(in: bytes)
        let longest = Bool.random(using: &generator) ? 8 : bytes.count
        return start..<min(bytes.count, start + Int.random(in: 0...longest, using: &generator))
    }
}
