/// A value as a list of texts, in which form it goes from one process to another, and into the store: reading
/// it back is linear, and nothing of it leads anywhere.
///
/// Each piece is a letter and what belongs to it; a list or a mapping says how many values or entries follow,
/// and an entry is its name, as a text, and its value.
extension RecipeValue {
    /// The deepest nesting of lists and mappings.
    public static let maximumDepth = 20
    /// The most values, names included.
    public static let maximumNodes = 10_000

    /// The value in pieces.
    public var pieces: [String] {
        var pieces: [String] = []
        write(into: &pieces)
        return pieces
    }

    /// Creates a value from its pieces; nil for what no value's pieces are.
    public init?(pieces: [String]) {
        guard pieces.count <= Self.maximumNodes else { return nil }
        var rest = pieces[...]
        guard let value = Self.next(&rest, depth: 0), rest.isEmpty else { return nil }
        self = value
    }

    private func write(into pieces: inout [String]) {
        switch self {
        case .null: pieces.append("n")
        case .bool(let value): pieces.append(value ? "b1" : "b0")
        case .integer(let value): pieces.append("i\(value)")
        case .decimal(let value): pieces.append("d\(value)")
        case .text(let text): pieces.append("t" + text)
        case .list(let values):
            pieces.append("l\(values.count)")
            for value in values { value.write(into: &pieces) }
        case .map(let entries):
            pieces.append("m\(entries.count)")
            for entry in entries {
                pieces.append("t" + entry.name)
                entry.value.write(into: &pieces)
            }
        }
    }

    private static func next(_ rest: inout ArraySlice<String>, depth: Int) -> RecipeValue? {
        guard depth <= maximumDepth, let piece = rest.popFirst(), let kind = piece.utf8.first else {
            return nil
        }
        // By scalars: what follows the letter may combine with it.
        let text = String(piece.unicodeScalars.dropFirst())
        switch kind {
        case UInt8(ascii: "n") where text.isEmpty: return .null
        case UInt8(ascii: "b") where text == "0" || text == "1": return .bool(text == "1")
        case UInt8(ascii: "i"): return Int(text).map(RecipeValue.integer)
        case UInt8(ascii: "d"): return Double(text).flatMap { $0.isFinite ? .decimal($0) : nil }
        case UInt8(ascii: "t"): return .text(text)
        case UInt8(ascii: "l"):
            guard let count = Int(text), (0...rest.count).contains(count) else { return nil }
            var values: [RecipeValue] = []
            for _ in 0..<count {
                guard let value = next(&rest, depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .list(values)
        case UInt8(ascii: "m"):
            guard let count = Int(text), (0...rest.count / 2).contains(count) else { return nil }
            var entries: [Entry] = []
            for _ in 0..<count {
                guard case .text(let name)? = next(&rest, depth: maximumDepth),
                    let value = next(&rest, depth: depth + 1)
                else { return nil }
                entries.append(Entry(name, value))
            }
            return .map(entries)
        default: return nil
        }
    }
}
