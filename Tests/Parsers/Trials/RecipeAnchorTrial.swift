import SourceCore

@testable import Children
@testable import SourceReading

/// A recipe full of anchors, aliases and names of every kind, which the bytes build: letters of a grammar, so
/// that the fuzzer finds by itself how they can be put together.
enum RecipeAnchorTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        var builder = Builder(bytes)
        let began = ContinuousClock.now
        let text = builder.recipe
        let answer = RecipeAnswer(to: RecipeRequest(text, name: nil))
        // A thousandth of it is usual.
        let time = ContinuousClock.now - began
        try promise(time < .seconds(5), "a recipe of \(text.utf8.count) bytes takes \(time)")
        return try check(answer, of: text) == nil ? nil : builder.firstText
    }

    /// Checks that what a reader says gets through the daemon's checks, and is what was read.
    ///
    /// - Returns: the recipe; nil for one that is refused.
    static func check(_ answer: RecipeAnswer, of text: String) throws(BrokenPromise) -> Recipe? {
        guard let frame = try? ListerFrame(.values, id: 7, answer),
            frame.body.count + ListerFrame.headerLength <= ListerFrame.Kind.values.maximumLength
        else { throw BrokenPromise(description: "the answer fits into no frame") }
        let taken: RecipeAnswer
        do {
            taken = try AnsweredRecipe(id: 7).receive(frame).get()
        } catch {
            throw BrokenPromise(description: "the daemon doesn't believe an honest reader: \(error)")
        }
        do throws(RecipeRefusal) {
            let recipe = try taken.recipe(name: nil)
            try? promise(answer.problems.isEmpty, "a recipe with problems is taken")
            return recipe
        } catch {
            try promise(!answer.problems.isEmpty, "the daemon finds what the reader hasn't: \(error)")
            for problem in error.problems { try promise(!problem.message.isEmpty, "there is no reason") }
            return nil
        }
    }

    /// Builds a recipe from letters: `s` a text, `*` an alias, `[` a list, `{` a mapping; in place of the name of
    /// an entry, `s`, `*`, and `?` for any value.
    private struct Builder {
        private var rest: ArraySlice<UInt8>
        private var line = 0
        private(set) var firstText: String?

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        var recipe: String {
            mutating get {
                var text = "name: a\nurl: \"https://h/\"\nitems: .\njob: {url: .}\nvars:\n"
                while !rest.isEmpty, text.utf8.count < 60_000 {
                    text += "  v\(line): &a\(line) \(value(inside: 0))\n"
                    line += 1
                }
                return text
            }
        }

        private mutating func count(_ most: Int) -> Int { Int(rest.popFirst() ?? 0) % most }

        private mutating func value(inside depth: Int) -> String {
            guard depth < 30 else { return "x" }
            switch rest.popFirst() {
            case UInt8(ascii: "s"): return scalar()
            case UInt8(ascii: "*"): return alias()
            case UInt8(ascii: "["):
                let values = (0..<count(8)).map { _ in value(inside: depth + 1) }
                return "[\(values.joined(separator: ", "))]"
            case UInt8(ascii: "{"):
                let entries = (0..<count(8)).map { number in
                    "\(name(number, inside: depth + 1)) : \(value(inside: depth + 1))"
                }
                return "{\(entries.joined(separator: ", "))}"
            default: return "x"
            }
        }

        private mutating func name(_ number: Int, inside depth: Int) -> String {
            switch rest.popFirst() {
            case UInt8(ascii: "s"): scalar()
            case UInt8(ascii: "*"): alias()
            case UInt8(ascii: "?"): "? \(value(inside: depth))"
            default: "k\(number)"
            }
        }

        private mutating func alias() -> String { "*a\(max(0, line - 1 - count(8)))" }

        private mutating func scalar() -> String {
            let length = count(32)
            let letters = rest.prefix(length).map { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): byte
                default: UInt8(ascii: "_")
                }
            }
            rest = rest.dropFirst(length)
            let text = String(decoding: letters, as: UTF8.self)
            firstText = firstText ?? text
            return "\"\(text)\""
        }
    }
}
