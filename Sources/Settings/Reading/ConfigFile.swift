import Yams

/// The YAML file in flattened form: a value for each key, with its line.
struct ConfigFile {
    /// A value with its line.
    struct Entry: Hashable, Sendable {
        var key: String
        var value: RawValue
        var line: Int
    }

    /// The entries in the order of the file.
    private(set) var entries: [Entry] = []
    /// The errors in the file.
    private(set) var problems: [SettingsError.Problem] = []
    private let path: String

    /// A limit on values and sections, more than any settings file needs; with aliases of aliases, a
    /// short file could stand for more than can be read.
    static let maximumNodes = 1000
    private var nodes = 0

    /// Parses a file's text.
    ///
    /// Sections may be nested or dotted, or both.
    init(path: String, text: String) {
        self.path = path
        do {
            guard let root = try Yams.compose(yaml: text) else { return }
            switch root {
            case .mapping(let mapping): read(mapping, under: "")
            case .scalar(let scalar) where scalar.string.isEmpty: break
            default:
                report(
                    root,
                    nil,
                    "expected keys with values, such as \"transfer:\" and \"  concurrency: 16\" under it"
                )
            }
        } catch let error as YamlError {
            problems.append(Self.problem(error, path: path))
        } catch {
            problems.append(.init(place: path, key: nil, message: "this is not YAML: \(error)"))
        }
    }

    private mutating func read(_ mapping: Node.Mapping, under section: String) {
        for (keyNode, value) in mapping {
            nodes += 1
            guard nodes <= Self.maximumNodes else {
                if nodes == Self.maximumNodes + 1 {
                    report(
                        keyNode,
                        nil,
                        "this has more than \(Self.maximumNodes) values once its aliases are expanded"
                    )
                }
                return
            }
            guard case .scalar(let scalar) = keyNode else {
                report(keyNode, nil, "expected a key")
                continue
            }
            let key = section.isEmpty ? scalar.string : "\(section).\(scalar.string)"
            switch value {
            case .mapping(let inner): read(inner, under: key)
            case .scalar(let scalar):
                if value.tag == Tag(.null) { continue }
                add(key, .text(scalar.string), keyNode)
            case .sequence(let sequence):
                let items = sequence.compactMap { node -> String? in
                    if case .scalar(let scalar) = node { scalar.string } else { nil }
                }
                if items.count == sequence.count {
                    add(key, .list(items), keyNode)
                } else {
                    report(keyNode, key, "expected a list of plain values")
                }
            case .alias: report(keyNode, key, "aliases are not supported")
            }
        }
    }

    private mutating func add(_ key: String, _ value: RawValue, _ node: Node) {
        guard let other = entries.first(where: { $0.key == key }) else {
            entries.append(.init(key: key, value: value, line: node.mark?.line ?? 1))
            return
        }
        report(node, key, "this is already set on line \(other.line)")
    }

    private mutating func report(_ node: Node, _ key: String?, _ message: String) {
        problems.append(.init(place: "\(path):\(node.mark?.line ?? 1)", key: key, message: message))
    }

    private static func problem(_ error: YamlError, path: String) -> SettingsError.Problem {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return .init(place: "\(path):\(mark.line)", key: nil, message: "this is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            return .init(
                place: "\(path):\(context.mark.line)",
                key: duplicates.map { "\($0)" }.joined(separator: ", "),
                message: "this key is given twice"
            )
        default: return .init(place: path, key: nil, message: "this is not YAML: \(error)")
        }
    }
}
