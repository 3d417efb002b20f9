/// An event of a stream of server-sent events (HTML standard §9.2).
struct ServerSentEvent: Hashable, Sendable {
    /// The event's name; `message` if the stream gives none.
    var name: String
    /// The event's data; several lines are joined by line feeds.
    var data: String
    /// The event's id; nil if the stream gives none.
    var id: String?
}
