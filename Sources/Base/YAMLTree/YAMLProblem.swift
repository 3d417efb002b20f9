/// The reason why a text is no document that can be used.
public struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Kind: Hashable, Sendable {
        /// The text is not YAML; the words are libyaml's.
        case syntax(String)
        /// There is more than one document.
        case furtherDocument
        /// An alias means nothing that comes before it.
        case unknownAlias(String)
        /// An alias stands where a name belongs.
        case aliasAsName(String)
        /// A list or a mapping stands where a name belongs.
        case nameIsNoText
        /// A name is given twice in one mapping.
        case repeatedName(String)
        /// The text is longer than so many bytes.
        case tooLong(Int)
        /// There are more than so many values, counting what aliases stand for.
        case tooMany(Int)
        /// Lists and mappings are nested deeper than so many, counting what aliases stand for.
        case tooDeep(Int)
        /// The texts have more than so many bytes, counting what aliases stand for.
        case tooMuchText(Int)
    }

    /// The kind of problem.
    public var kind: Kind
    /// The line, from 1.
    public var line: Int

    init(_ kind: Kind, line: Int) { (self.kind, self.line) = (kind, line) }

    /// The problem, as a clause without the line.
    public var message: String {
        switch kind {
        case .syntax(let words): "this is not YAML: \(words)"
        case .furtherDocument: "this is not YAML of one document: another one begins here"
        case .unknownAlias(let name): "this is not YAML: the alias *\(Self.short(name)) stands for nothing"
        case .aliasAsName(let name):
            "the alias *\(Self.short(name)) stands where a name belongs; write the name itself"
        case .nameIsNoText: "a name must be a word, and not a list or a mapping"
        case .repeatedName(let name): "\(Self.short(name)) is given twice"
        case .tooLong(let limit): "this has more than \(limit) bytes"
        case .tooMany(let limit):
            "there are too many values: more than \(limit), counting what aliases stand for"
        case .tooDeep(let limit):
            "there are too many lists and mappings in each other: more than \(limit), counting what aliases "
                + "stand for"
        case .tooMuchText(let limit):
            "there is too much text: more than \(limit) bytes, counting what aliases stand for"
        }
    }

    /// The problem, with the line.
    public var description: String { "\(message) (line \(line))" }

    /// A name of the document, or its beginning.
    private static func short(_ name: String) -> String {
        name.utf8.count <= 100 ? name : String(name.unicodeScalars.prefix(60)) + "…"
    }
}
