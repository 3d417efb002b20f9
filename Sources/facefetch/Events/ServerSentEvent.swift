/// One event of a stream, as the HTML standard defines it (§9.2, server-sent events).
struct ServerSentEvent: Hashable, Sendable {
    /// The event's name; `message` where the stream gave none.
    var name: String
    /// Its data; several lines are joined by line feeds.
    var data: String
    /// Its id; nil where the stream gave none.
    var id: String?
}
