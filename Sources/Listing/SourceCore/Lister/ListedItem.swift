/// An item of a page.
public struct ListedItem: Codable, Hashable, Sendable {
    /// The URL as in the page, possibly relative; empty for slices and for unwanted items.
    public var url: String
    /// The item's identity; nil for the resolved URL.
    public var key: String?
    /// The document's name.
    public var name: String?
    /// The folder for the document.
    public var folder: String?
    /// The document's SHA-256 in lower-case hex.
    public var sha256: String?
    /// The job's priority.
    public var priority: Int?
    /// The data to keep with the job: an object as JSON text of at most 4 KiB, with numbers as in the
    /// page.
    public var meta: String?
    /// True if the item is wanted, as decided by `select`; nil means true.
    public var wanted: Bool?
    /// For a slice, a value that changes whenever the slice does.
    public var changed: String?
    /// For a slice, its variables.
    public var variables: [String: String]?
    /// The line at which the item's row begins, from 1, in a list in rows.
    public var line: Int?

    /// The longest ``meta`` in bytes.
    public static let longestMeta = 4096
    /// The longest URL, key, name or folder in bytes.
    public static let longestText = 8192

    public init(url: String, key: String? = nil) {
        self.url = url
        self.key = key
    }

    /// Appends the item as JSON.
    ///
    /// It is written by hand because there may be millions.
    public func write(into json: inout [UInt8]) {
        var writer = JSONWriter()
        writer.text("url", url)
        writer.text("key", key)
        writer.text("name", name)
        writer.text("folder", folder)
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
        writer.raw("line", line.map(String.init))
        json += writer.bytes
    }
}
