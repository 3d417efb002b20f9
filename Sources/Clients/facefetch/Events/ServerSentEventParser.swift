/// Parses an event stream from bytes in pieces of any size (HTML standard §9.2.6).
///
/// Comments, which keep the connection alive, and unknown fields are ignored. An id alone, after which a client
/// that comes back goes on, is an event without data.
struct ServerSentEventParser: Sendable {
    private var line: [UInt8] = []
    private var lastWasReturn = false
    private var name = ""
    private var data: [String] = []
    private var id: String?

    /// Consumes bytes and returns the events that they complete.
    mutating func feed(_ bytes: [UInt8]) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where lastWasReturn:
                // The second half of a line ending.
                lastWasReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                lastWasReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                lastWasReturn = false
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return dispatch() }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "event": name = text
        case "data": data.append(text)
        case "id": id = text
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (name, data, id) = ("", [], nil) }
        guard !data.isEmpty || !name.isEmpty || id != nil else { return nil }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name,
            data: data.joined(separator: "\n"),
            id: id
        )
    }
}

/// An event of a stream of server-sent events (HTML standard §9.2).
struct ServerSentEvent: Hashable, Sendable {
    /// The event's name; `message` if the stream gives none.
    var name: String
    /// The event's data; several lines are joined by line feeds.
    var data: String
    /// The event's id; nil if the stream gives none.
    var id: String?
}
