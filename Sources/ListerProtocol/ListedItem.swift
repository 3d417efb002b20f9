/// An item of a page.
public struct ListedItem: Codable, Hashable, Sendable {
    /// The URL as the page has it, perhaps relative; empty for slices, and for what isn't wanted.
    public var url: String
    /// What it is known by; nil is the URL, once that is resolved.
    public var key: String?
    /// The document's name.
    public var name: String?
    /// The document's SHA-256, in lower-case hex.
    public var sha256: String?
    /// The job's priority.
    public var priority: Int?
    /// What is kept with the job: an object, as JSON text of at most 4 KiB, numbers as the page has them.
    public var meta: String?
    /// False where `select` says no; nil is true.
    public var wanted: Bool?
    /// Of a slice, what is another when it has changed.
    public var changed: String?
    /// Of a slice, its variables.
    public var variables: [String: String]?

    /// The most bytes of ``meta``.
    public static let longestMeta = 4096
    /// The most bytes of a URL, a key or a name.
    public static let longestText = 8192

    /// An item with a URL.
    public init(url: String, key: String? = nil) {
        self.url = url
        self.key = key
    }

    /// Appends the item as JSON.
    ///
    /// Millions are written, so it is done by hand.
    public func write(into json: inout [UInt8]) {
        var writer = JSONWriter()
        writer.text("url", url)
        writer.text("key", key)
        writer.text("name", name)
        writer.text("sha256", sha256)
        writer.raw("priority", priority.map(String.init))
        writer.text("meta", meta)
        writer.raw("wanted", wanted.map(String.init))
        writer.text("changed", changed)
        if let variables {
            var inner = JSONWriter()
            for (name, value) in variables.sorted(by: { $0.key < $1.key }) { inner.text(name, value) }
            writer.raw("variables", String(decoding: inner.bytes, as: UTF8.self))
        }
        json += writer.bytes
    }
}
