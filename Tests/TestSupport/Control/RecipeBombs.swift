/// Recipes that are made to cost whoever reads them far more than their bytes.
public enum RecipeBombs {
    private static let head = "name: bomb\nurl: http://h/\nitems: .[]\njob: {url: .u}\nvars:\n"

    /// Lines, each of which has what the one before it names.
    private static func stacked(_ count: Int, _ line: (String) -> String) -> String {
        (1...count).reduce(head + "  a0: &a0 [x]\n") { text, number in
            text + "  a\(number): &a\(number) \(line("*a\(number - 1)"))\n"
        }
    }

    /// Names of fields that are compared by all that they stand for: 2^60 of it.
    public static let hashed = stacked(60) { "{? [\($0), \($0)] : 1}" }
    /// The same, as aliases alone.
    public static let hashedAliases = stacked(60) { "{\($0) : 1, b: [\($0), \($0)]}" }
    /// Names that are nested deeper than any stack.
    public static let deepNames = stacked(900) { "{? \($0) : 1}" }
    /// Values that are.
    public static let deepValues = stacked(2500) { "[\($0)]" }
    /// Values of which there are 2^60.
    public static let manyValues = stacked(60) { "[\($0), \($0)]" }
    /// A long text, very often.
    public static let muchText =
        head + "  a: &a \"\(String(repeating: "x", count: 30_000))\"\n  b: ["
        + Array(repeating: "*a", count: 8000).joined(separator: ",") + "]\n"
    /// The name of a field that is like no other, and takes long to be compared with them.
    public static let longName = head + "  x: 1\n\(String(repeating: "nam", count: 20_000)): 1\n"
    /// Very many variables, and very many that there aren't.
    public static let manyNames =
        "name: bomb\nitems: .[]\njob: {url: .u}\nurl: \"http://h/"
        + (0..<4000).map { "{v\($0)}" }.joined() + "\"\nvars: {"
        + (0..<2400).map { "w\($0): 1" }.joined(separator: ", ") + "}\n"

    /// A value that isn't shown, and is looked for in the text, which nearly has it very often; this one can be
    /// used.
    public static let nearlyHidden =
        "name: bomb\nurl: http://h/\nitems: .[]\njob: {url: .u}\nheaders: {a: '{w}'}\nvars: {w: \"b"
        + String(repeating: "a", count: 15_000) + "\"}\n# " + String(repeating: "a", count: 40_000)

    /// All that are refused, by their names.
    public static let all: [(name: String, text: String)] = [
        ("hashed", hashed), ("hashedAliases", hashedAliases), ("deepNames", deepNames),
        ("deepValues", deepValues), ("manyValues", manyValues), ("muchText", muchText),
        ("longName", longName), ("manyNames", manyNames),
    ]
}
