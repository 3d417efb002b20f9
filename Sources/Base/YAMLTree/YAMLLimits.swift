/// Limits for a document.
public struct YAMLLimits: Hashable, Sendable {
    /// The longest text in bytes.
    public var bytes: Int
    /// The most values, names included, counting what aliases stand for.
    public var nodes: Int
    /// The deepest nesting of lists and mappings, counting what aliases stand for.
    public var depth: Int

    public init(bytes: Int, nodes: Int, depth: Int = 20) {
        (self.bytes, self.nodes, self.depth) = (bytes, nodes, depth)
    }

    /// The most bytes of all texts together, counting what aliases stand for: twice those of a document
    /// without any.
    var texts: Int { 2 * bytes }
}
