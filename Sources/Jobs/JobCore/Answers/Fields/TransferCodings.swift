/// The codings applied to a message on its way, according to Transfer-Encoding (RFC 9112 §6.1 and §7).
///
/// Nobody asks for any (that would be TE, §7.4), so `chunked` is the only one that servers should use.
public struct TransferCodings: Hashable, Sendable {
    /// The codings besides `chunked` in lower case, in the order in which they were applied.
    public let applied: [String]
    /// True if chunks show the end of the body.
    public let isChunked: Bool

    /// Parses a field value; nil stands for a response without the field.
    public init(_ field: String?) {
        let words = field?.split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        // RFC 2616 had `identity`.
        var named = words?.filter { !$0.isEmpty && $0 != "identity" } ?? []
        isChunked = named.last == "chunked"
        // A proxy may name once more what the server has named; it is done once.
        while named.last == "chunked" { named.removeLast() }
        applied = named
    }

    /// True if the message can be read: its codings are known, and `chunked` is the last.
    var canBeUndone: Bool {
        applied.count <= ContentCodings.most && applied.allSatisfy(ContentCodings.undone.contains)
    }
}
