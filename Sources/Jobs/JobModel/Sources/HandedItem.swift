/// An item of a source that goes to the queue of a fleet, and becomes no job here.
///
/// It stays in the store until the fleet is done with it, so that one that the fleet's database has lost again is
/// handed over anew.
public struct HandedItem: Hashable, Sendable {
    /// The item's number; where an item is written, the least that it may get: the wall clock's microseconds.
    ///
    /// They ascend, and none is ever given twice, not even by a store that was restored from a copy.
    public var id: Int64
    /// The name of the source.
    public var source: String
    /// The URL of the file.
    public var url: String
    /// The name asked for; nil to derive one from the URL.
    public var name: String?
    /// The folder for the document; nil for none asked for.
    public var folder: String?
    /// The SHA-256 that the document must have.
    public var sha256: String?
    /// The priority, from −100 to 100.
    public var priority: Int
    /// Data to keep with the job, as JSON.
    public var meta: String?

    /// An item with what is always known of one.
    public init(id: Int64, source: String, url: String, priority: Int = 0) {
        (self.id, self.source, self.url, self.priority) = (id, source, url, priority)
    }
}
