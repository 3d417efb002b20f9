import ControlAPI
import FoundationEssentials

/// Follows the events of a server.
public struct EventClient: Sendable {
    /// One server-sent event.
    public struct Event: Hashable, Sendable {
        /// The id, if the stream gave one.
        public var id: String?
        /// Its name.
        public var name = "message"
        /// The event's data, as JSON.
        public var data = ""

        /// Returns the data as a value.
        public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(data.utf8))
        }
    }

    /// The connection.
    public private(set) var http: HTTPClient
    private var bytes: [UInt8] = []

    /// Follows; returns when the server says that nothing is lost from here on.
    public init(path: String, target: String = "/v1/events", lastEventID: String? = nil) async throws {
        http = try HTTPClient(path: path)
        var fields: [String: String] = [:]
        fields["Last-Event-ID"] = lastEventID
        try await http.connection.send(HTTPClient.request("GET", target, fields: fields))
        let (status, head) = try await http.head()
        guard status == 200, head["content-type"] == "text/event-stream" else { throw HTTPClient.Ended() }
        guard try await block()?.hasPrefix(": following") == true else { throw HTTPClient.Ended() }
    }

    /// The next event, comments left out; nil when the stream has ended.
    public mutating func next() async throws -> Event? {
        while let block = try await block() {
            var event = Event()
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
            }
            if !event.data.isEmpty { return event }
        }
        return nil
    }

    /// The next lines up to an empty one, comments included; nil when the stream has ended.
    public mutating func block() async throws -> String? {
        while true {
            let end = bytes.indices.dropLast().first { bytes[$0] == 0x0A && bytes[$0 + 1] == 0x0A }
            if let end {
                defer { bytes.removeFirst(end + 2) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            guard let chunk = try await http.chunk() else { return nil }
            bytes += chunk
        }
    }
}
