import YAMLTree

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
    /// What is under `hosts`: names of hosts, which have dots themselves, with the settings of each.
    private(set) var hosts: [YAMLNode.Entry] = []
    /// The errors in the file.
    private(set) var problems: [SettingsError.Problem] = []
    private let path: String
    /// The places of the entries of keys.
    private var places: [String: Int] = [:]

    /// The limits of a settings file, more than any needs; with aliases of aliases, a short file could stand
    /// for more than can be read.
    static let limits = YAMLLimits(bytes: 1 << 20, nodes: 3000, depth: 20)

    /// Parses a file's text.
    ///
    /// Sections may be nested or dotted, or both.
    init(path: String, text: String) {
        self.path = path
        do throws(YAMLProblem) {
            guard let root = try YAMLTree.read(text, within: Self.limits) else { return }
            switch root {
            case .map(let entries, _): read(entries, under: "")
            case .scalar(let scalar) where scalar.text.isEmpty: break
            default:
                report(
                    root.line,
                    nil,
                    "expected keys with values, such as \"transfer:\" and \"  concurrency: 16\" under it"
                )
            }
        } catch {
            report(error)
        }
    }

    private mutating func read(_ entries: [YAMLNode.Entry], under section: String) {
        for entry in entries {
            let key = section.isEmpty ? entry.name : "\(section).\(entry.name)"
            switch entry.value {
            case .map(let inner, _) where key == "hosts": hosts = inner
            case .map(let inner, _): read(inner, under: key)
            case .scalar(let scalar):
                if entry.value.isNull { continue }
                add(key, .text(scalar.text), entry.line)
            case .list(let values, _):
                let items = values.compactMap(\.text)
                if items.count == values.count {
                    add(key, .list(items), entry.line)
                } else {
                    report(entry.line, key, "expected a list of plain values")
                }
            }
        }
    }

    private mutating func add(_ key: String, _ value: RawValue, _ line: Int) {
        guard let index = places[key] else {
            places[key] = entries.count
            entries.append(.init(key: key, value: value, line: line))
            return
        }
        report(line, key, "this is already set on line \(entries[index].line)")
    }

    private mutating func report(_ line: Int, _ key: String?, _ message: String) {
        problems.append(.init(place: "\(path):\(line)", key: key, message: message))
    }

    private mutating func report(_ problem: YAMLProblem) {
        switch problem.kind {
        case .repeatedName(let name): report(problem.line, name, "this key is given twice")
        default: report(problem.line, nil, problem.message)
        }
    }
}
