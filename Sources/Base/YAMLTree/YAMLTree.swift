import CYAMLEvents

/// Reads documents in YAML within limits that hold while they are read.
///
/// What makes trees of a document without limits is led by aliases to ones that no machine holds, and to
/// names whose comparison takes for ever. Here an alias costs as much as an alias, and counts as much as
/// what it stands for; and a name is a text.
public enum YAMLTree {
    /// Reads a document.
    ///
    /// - Returns: nil for a text without one.
    /// - Throws: ``YAMLProblem``, the first that is found.
    public static func read(_ text: String, within limits: YAMLLimits) throws(YAMLProblem) -> YAMLNode? {
        guard text.utf8.count <= limits.bytes else { throw YAMLProblem(.tooLong(limits.bytes), line: 1) }
        return try Composer(text, limits).document()
    }
}

/// Makes the tree of a document from its events.
private final class Composer {
    /// The size of a value, counting what aliases stand for.
    private struct Size {
        var nodes = 0
        var texts = 0
        /// The depth to which lists and mappings are nested; 0 for a scalar.
        var depth = 0
    }

    /// Tags that say of a plain scalar that it is what it looks like (yaml.org/type).
    private static let plainTags = ["null", "bool", "int", "float"].map { "tag:yaml.org,2002:\($0)" }

    private let reader: OpaquePointer
    private let limits: YAMLLimits
    private var event = CYAMLEvent()
    /// The nodes that anchors name; a name that is given again means the last.
    private var anchors: [String: (node: YAMLNode, size: Size)] = [:]
    /// The size of all that was read.
    private var total = Size()

    init(_ text: String, _ limits: YAMLLimits) throws(YAMLProblem) {
        var text = text
        guard let reader = text.withUTF8({ CYAMLEvents_begin($0.baseAddress, $0.count) }) else {
            throw YAMLProblem(.syntax("there is not enough memory"), line: 1)
        }
        (self.reader, self.limits) = (reader, limits)
    }

    deinit { CYAMLEvents_end(reader) }

    func document() throws(YAMLProblem) -> YAMLNode? {
        try next()
        guard event.kind != CYAMLEvents_done else { return nil }
        try next()
        let root = try node(inside: 0)
        try next()
        guard event.kind == CYAMLEvents_done else { throw problem(.furtherDocument) }
        return root
    }

    private var line: Int { Int(clamping: event.line) }

    private var text: String {
        let bytes = UnsafeRawBufferPointer(start: event.text, count: event.text == nil ? 0 : event.length)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func problem(_ kind: YAMLProblem.Kind) -> YAMLProblem { YAMLProblem(kind, line: line) }

    private func next() throws(YAMLProblem) {
        CYAMLEvents_next(reader, &event)
        guard event.kind == CYAMLEvents_failed else { return }
        // It reads a little ahead, and has a limit of its own (yaml_set_max_nest_level).
        throw problem(text.hasPrefix("Maximum nesting level") ? .tooDeep(limits.depth) : .syntax(text))
    }

    /// Makes the value that the present event begins, in so many lists and mappings.
    private func node(inside depth: Int) throws(YAMLProblem) -> YAMLNode {
        let before = total
        let anchor = event.anchor.map { String(cString: $0) }
        let node: YAMLNode
        var height = 0
        switch event.kind {
        case CYAMLEvents_alias: return try alias(inside: depth)
        case CYAMLEvents_scalar: node = .scalar(try scalar())
        default:
            guard depth < limits.depth else { throw problem(.tooDeep(limits.depth)) }
            try count(nodes: 1, texts: 0)
            let outer = total.depth
            total.depth = 0
            node =
                event.kind == CYAMLEvents_map ? try map(inside: depth + 1) : try list(inside: depth + 1)
            height = total.depth + 1
            total.depth = outer
        }
        total.depth = max(total.depth, height)
        if let anchor {
            let (nodes, texts) = (total.nodes - before.nodes, total.texts - before.texts)
            anchors[anchor] = (node, Size(nodes: nodes, texts: texts, depth: height))
        }
        return node
    }

    private func list(inside depth: Int) throws(YAMLProblem) -> YAMLNode {
        let line = line
        var values: [YAMLNode] = []
        try next()
        while event.kind != CYAMLEvents_close {
            values.append(try node(inside: depth))
            try next()
        }
        return .list(values, line: line)
    }

    private func map(inside depth: Int) throws(YAMLProblem) -> YAMLNode {
        let line = line
        var entries: [YAMLNode.Entry] = []
        var names: Set<String> = []
        try next()
        while event.kind != CYAMLEvents_close {
            let name = try name()
            guard names.insert(name.text).inserted else {
                throw YAMLProblem(.repeatedName(name.text), line: name.line)
            }
            try next()
            entries.append(.init(name: name.text, line: name.line, value: try node(inside: depth)))
            try next()
        }
        return .map(entries, line: line)
    }

    private func name() throws(YAMLProblem) -> YAMLNode.Scalar {
        switch event.kind {
        case CYAMLEvents_alias: throw problem(.aliasAsName(text))
        case CYAMLEvents_scalar:
            let anchor = event.anchor.map { String(cString: $0) }
            let name = try scalar()
            if let anchor {
                anchors[anchor] = (.scalar(name), Size(nodes: 1, texts: name.text.utf8.count))
            }
            return name
        default: throw problem(.nameIsNoText)
        }
    }

    private func scalar() throws(YAMLProblem) -> YAMLNode.Scalar {
        try count(nodes: 1, texts: Int(clamping: event.length))
        let tag = event.tag.map { String(cString: $0) }
        let isPlain = event.is_plain && tag.map(Self.plainTags.contains) ?? true
        return YAMLNode.Scalar(text: text, isPlain: isPlain, line: line)
    }

    private func alias(inside depth: Int) throws(YAMLProblem) -> YAMLNode {
        let name = text
        guard let known = anchors[name] else { throw problem(.unknownAlias(name)) }
        guard depth + known.size.depth <= limits.depth else { throw problem(.tooDeep(limits.depth)) }
        try count(nodes: known.size.nodes, texts: known.size.texts)
        total.depth = max(total.depth, known.size.depth)
        return known.node
    }

    private func count(nodes: Int, texts: Int) throws(YAMLProblem) {
        total.nodes += nodes
        total.texts += texts
        guard total.nodes <= limits.nodes else { throw problem(.tooMany(limits.nodes)) }
        guard total.texts <= limits.texts else { throw problem(.tooMuchText(limits.texts)) }
    }
}

/// Limits for a document.
public struct YAMLLimits: Hashable, Sendable {
    /// The longest text in bytes.
    public var bytes: Int
    /// The most values, names included, counting what aliases stand for.
    public var nodes: Int
    /// The deepest nesting of lists and mappings, counting what aliases stand for.
    public var depth: Int

    /// Creates limits.
    public init(bytes: Int, nodes: Int, depth: Int = 20) {
        (self.bytes, self.nodes, self.depth) = (bytes, nodes, depth)
    }

    /// The most bytes of all texts together, counting what aliases stand for: twice those of a document
    /// without any.
    var texts: Int { 2 * bytes }
}
