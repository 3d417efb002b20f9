import SourceCore
import Yams

/// Reads recipes in YAML, of which JSON is a subset.
public enum RecipeFile {
    /// The longest recipe in bytes, many times that of any that a person writes: the whole tree of one is
    /// made before its values can be counted.
    public static let maximumLength = 64 << 10
    /// The longest recipe that earlier versions took, which the store may have.
    public static let storedLength = 1 << 20
    /// The most values in a recipe; with aliases of aliases, a short text could stand for more than can
    /// be read.
    static let maximumNodes = 10_000
    /// The deepest nesting of mappings and lists.
    static let maximumDepth = 20

    /// Reads a recipe.
    ///
    /// - Parameters:
    ///   - text: the recipe's text.
    ///   - name: the name of the source, unless the recipe gives one.
    /// - Throws: ``SourceCore/RecipeRefusal`` with everything that is wrong.
    public static func read(_ text: String, name: String? = nil) throws(RecipeRefusal) -> Recipe {
        try Recipe(reading: try value(text), name: name)
    }

    /// Reads a recipe as a tree of values without checking its fields.
    ///
    /// - Parameter limit: the longest text in bytes that is read.
    public static func value(
        _ text: String,
        limit: Int = maximumLength
    ) throws(RecipeRefusal) -> RecipeValue {
        guard text.utf8.count <= limit else {
            throw RecipeRefusal([.init("", "a recipe has at most \(limit) bytes")])
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw RecipeRefusal([.init("", problem(error))])
        }
        guard let root else { throw RecipeRefusal([.init("", "the recipe is empty")]) }
        var nodes = 0
        return try convert(root, path: "", depth: 0, &nodes)
    }

    private static func convert(
        _ node: Node,
        path: String,
        depth: Int,
        _ nodes: inout Int
    ) throws(RecipeRefusal) -> RecipeValue {
        nodes += 1
        guard nodes <= maximumNodes, depth <= maximumDepth else {
            throw RecipeRefusal([
                .init(path, "the recipe has too many values, counting what aliases stand for")
            ])
        }
        switch node {
        case .scalar(let scalar): return self.scalar(scalar, node)
        case .sequence(let sequence):
            var values: [RecipeValue] = []
            for value in sequence { values.append(try convert(value, path: path, depth: depth + 1, &nodes)) }
            return .list(values)
        case .mapping(let mapping):
            var entries: [RecipeValue.Entry] = []
            for (key, value) in mapping {
                guard case .scalar(let name) = key else {
                    throw RecipeRefusal([
                        .init(path, "the name of a field must be a word (line \(key.mark?.line ?? 1))")
                    ])
                }
                let inner = path.isEmpty ? name.string : "\(path).\(name.string)"
                entries.append(.init(name.string, try convert(value, path: inner, depth: depth + 1, &nodes)))
            }
            return .map(entries)
        case .alias: throw RecipeRefusal([.init(path, "aliases aren't supported")])
        }
    }

    /// Returns the value of a scalar; quoted ones are texts.
    private static func scalar(_ scalar: Node.Scalar, _ node: Node) -> RecipeValue {
        guard scalar.style == .plain || scalar.style == .any else { return .text(scalar.string) }
        switch node.tag {
        case Tag(.null): return .null
        case Tag(.bool): return Bool.construct(from: scalar).map(RecipeValue.bool) ?? .text(scalar.string)
        // Only a number that is written in its usual form counts as one: 0777 and 1_000 mean different
        // things to different readers, and 08 in a range must keep its zero.
        case Tag(.int):
            guard let number = Int(scalar.string), String(number) == scalar.string else {
                return .text(scalar.string)
            }
            return .integer(number)
        case Tag(.float):
            guard let number = Double(scalar.string), number.isFinite, "\(number)" == scalar.string else {
                return .text(scalar.string)
            }
            return .decimal(number)
        default: return .text(scalar.string)
        }
    }

    private static func problem(_ error: any Error) -> String {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            "the recipe is not valid YAML: \(problem) (line \(mark.line))"
        case YamlError.duplicatedKeysInMapping(let duplicates, let context):
            "\(duplicates.map { "\($0)" }.joined(separator: ", ")) is given twice (line \(context.mark.line))"
        default: "the recipe is not valid YAML: \(error)"
        }
    }
}
