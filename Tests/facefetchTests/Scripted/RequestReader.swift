import Foundation
import Glibc

/// Reads one HTTP/1.1 request from a socket.
enum RequestReader {
    /// The request; nil when the other side is gone.
    static func read(_ connection: Int32) -> ScriptedDaemon.Request? {
        var head = Data()
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = bytes(connection, count: 1) else { return nil }
            head += byte
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard let body = bytes(connection, count: length) else { return nil }
        let parts = URLComponents(string: String(words[1]))
        var query: [String: String] = [:]
        for item in parts?.queryItems ?? [] { query[item.name] = item.value ?? "" }
        return ScriptedDaemon.Request(
            method: String(words[0]),
            path: parts?.path ?? "",
            query: query,
            headers: headers,
            body: body
        )
    }

    private static func bytes(_ connection: Int32, count: Int) -> Data? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while data.count < count {
            let got = recv(connection, &buffer, min(buffer.count, count - data.count), 0)
            guard got > 0 else { return nil }
            data += buffer.prefix(got)
        }
        return data
    }
}
