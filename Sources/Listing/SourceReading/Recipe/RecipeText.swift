import SourceCore
import YAMLTree

/// Recipes as they are written: in YAML, of which JSON is a part.
///
/// They are strangers' texts, so this runs in a process of its own for each (see `facefetch-lister`), and not
/// in the daemon.
enum RecipeText {
    /// Reads a recipe.
    ///
    /// - Parameters:
    ///   - text: the recipe's text.
    ///   - name: the name of the source, unless the recipe gives one.
    /// - Throws: ``SourceCore/RecipeRefusal`` with everything that is wrong.
    static func read(_ text: String, name: String? = nil) throws(RecipeRefusal) -> Recipe {
        try Recipe(reading: try value(text), name: name)
    }

    /// Reads a recipe as a tree of values without checking its fields.
    static func value(_ text: String) throws(RecipeRefusal) -> RecipeValue {
        let limits = YAMLLimits(
            bytes: RecipeRequest.maximumLength,
            nodes: RecipeValue.maximumNodes,
            depth: RecipeValue.maximumDepth
        )
        let root: YAMLNode?
        do throws(YAMLProblem) { root = try YAMLTree.read(text, within: limits) } catch {
            throw RecipeRefusal([.init("", words(error))])
        }
        guard let root else { throw RecipeRefusal([.init("", "the recipe is empty")]) }
        return value(root)
    }

    private static func words(_ problem: YAMLProblem) -> String {
        let line = " (line \(problem.line))"
        return switch problem.kind {
        case .tooLong(let limit): "a recipe has at most \(limit) bytes"
        case .syntax(let words): "the recipe is not valid YAML: \(words)\(line)\(advice(words))"
        default: problem.description
        }
    }

    /// Returns what to do about a mistake that is easily made where jq is written in YAML: the same signs have a
    /// meaning in both.
    private static func advice(_ words: String) -> String {
        slips.first { words.contains($0.words) }.map { "; put an expression \($0.advice)" } ?? ""
    }

    private static let slips: [(words: String, advice: String)] = [
        (
            "mapping values are not allowed",
            "with a colon and a blank in it between single quotes, or on lines of its own behind >-"
        ),
        (
            "did not find expected ',' or",
            "in braces between single quotes where it has quotes, brackets or commas"
        ),
        ("did not find expected key", "that begins with a quote between single quotes"),
        ("cannot start any token", "that begins with such a sign between single quotes"),
        ("unknown escape character", "with a \\ in it between single quotes"),
    ]

    private static func value(_ node: YAMLNode) -> RecipeValue {
        switch node {
        case .scalar(let scalar): value(scalar)
        case .list(let nodes, _): .list(nodes.map(value))
        case .map(let entries, _): .map(entries.map { .init($0.name, value($0.value)) })
        }
    }

    /// The longest text that is looked at as a number or another word with a meaning.
    private static let longestWord = 40
    private static let affirmations = ["yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]
    private static let negations = ["no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]

    /// Returns the value of a scalar; quoted ones are texts.
    private static func value(_ scalar: YAMLNode.Scalar) -> RecipeValue {
        let text = scalar.text
        guard scalar.isPlain, text.utf8.count <= longestWord else { return .text(text) }
        if YAMLNode.scalar(scalar).isNull { return .null }
        // Words of YAML 1.1 (yaml.org/type/bool.html), which people expect of it.
        if affirmations.contains(text) { return .bool(true) }
        if negations.contains(text) { return .bool(false) }
        // Only a number that is written in its usual form counts as one: 0777 and 1_000 mean different
        // things to different readers, and 08 in a range must keep its zero.
        if let number = Int(text), String(number) == text { return .integer(number) }
        if let number = Double(text), number.isFinite, "\(number)" == text { return .decimal(number) }
        return .text(text)
    }
}
