import FoundationEssentials

/// Just enough of HTTP/1.1 to look at what the server really sends.
public struct HTTPClient: Sendable {
    /// A response to a request.
    public struct Response: Sendable {
        /// The status code.
        public var status: Int
        /// The header fields, their names in lower case.
        public var fields: [String: String]
        /// The whole body.
        public var body: [UInt8]

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as a value.
        public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }
    }

    /// The server ended the connection before a whole answer was there.
    public struct Ended: Error {}

    /// The connection.
    public let connection: UnixConnection
    private var buffer: [UInt8] = []

    /// Connects.
    public init(path: String) throws { connection = try UnixConnection(path: path) }

    /// Sends a request and waits for its answer.
    public mutating func send(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        fields: [String: String] = [:]
    ) async throws -> Response {
        try await connection.send(Self.request(method, target, body, fields: fields))
        return try await response(headOnly: method == "HEAD")
    }

    /// Sends one request over a connection of its own.
    public static func send(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        fields: [String: String] = [:],
        to path: String
    ) async throws -> Response {
        var client = try HTTPClient(path: path)
        return try await client.send(method, target, body, fields: fields)
    }

    /// The bytes of a request.
    public static func request(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        fields: [String: String] = [:]
    ) -> String {
        var fields = fields
        if fields["Host"] == nil { fields["Host"] = "localhost" }
        if let body {
            fields["Content-Length"] = "\(body.utf8.count)"
            if fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
        }
        let head = fields.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        return "\(method) \(target) HTTP/1.1\r\n\(head)\r\n\(body ?? "")"
    }

    /// Reads one answer; an interim one (1xx) is an answer of its own.
    public mutating func response(headOnly: Bool = false) async throws -> Response {
        let (status, fields) = try await head()
        var response = Response(status: status, fields: fields, body: [])
        if headOnly || status < 200 { return response }
        if fields["transfer-encoding"] == "chunked" {
            while let chunk = try await chunk() { response.body += chunk }
        } else {
            response.body = try await receive(Int(fields["content-length"] ?? "") ?? 0)
        }
        return response
    }

    /// Reads the head of an answer.
    public mutating func head() async throws -> (Int, [String: String]) {
        var lines: [String] = []
        while let line = try await line(), !line.isEmpty { lines.append(line) }
        let parts = lines.first?.split(separator: " ") ?? []
        guard parts.count >= 2, let status = Int(parts[1]) else { throw Ended() }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return (status, fields)
    }

    /// Reads one chunk of a chunked body; nil after the last.
    public mutating func chunk() async throws -> [UInt8]? {
        guard let line = try await line(), let size = Int(line, radix: 16) else { throw Ended() }
        let bytes = try await receive(size)
        _ = try await self.line()
        return size == 0 ? nil : bytes
    }

    /// Reads some of what is left, in whatever form; empty at the end of the connection.
    public mutating func rest() async throws -> [UInt8] {
        guard buffer.isEmpty else {
            defer { buffer = [] }
            return buffer
        }
        return try await connection.receive()
    }

    /// True when the server has ended the connection, and nothing unread is left.
    public mutating func hasEnded() async throws -> Bool {
        guard buffer.isEmpty else { return false }
        do {
            buffer = try await connection.receive()
        } catch let failure as UnixConnection.Failure where failure.errno == 104 {
            return true
        }
        return buffer.isEmpty
    }

    private mutating func line() async throws -> String? {
        var end: Int?
        while true {
            end = buffer.firstIndex(of: UInt8(ascii: "\n"))
            if end != nil { break }
            let more = try await connection.receive()
            guard !more.isEmpty else { throw Ended() }
            buffer += more
        }
        guard let end else { return nil }
        let line = buffer[..<end].filter { $0 != UInt8(ascii: "\r") }
        buffer.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func receive(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count {
            let more = try await connection.receive()
            guard !more.isEmpty else { throw Ended() }
            buffer += more
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }
}
