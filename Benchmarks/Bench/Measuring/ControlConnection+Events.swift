import Foundation
import Glibc

extension ControlConnection {
    /// All events that the daemon keeps, as JSON each.
    ///
    /// Nothing else can be asked on this connection afterwards.
    func events() throws(BenchError) -> [Data] {
        try send(
            "GET /v1/events?after=0&follow=false HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw .failed("the control socket gives no answer") }
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        let lines = try Self.joined(answer).split(separator: UInt8(ascii: "\n"))
        return lines.filter { $0.starts(with: "data: ".utf8) }.map { Data($0.dropFirst(6)) }
    }

    /// The body of a chunked answer (RFC 9112 §7.1).
    private static func joined(_ answer: [UInt8]) throws(BenchError) -> [UInt8] {
        guard let head = answer.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw .failed("the control socket gives no whole answer")
        }
        var body: [UInt8] = []
        var rest = answer[head.upperBound...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0,
            rest.distance(from: end, to: rest.endIndex) >= size + 4
        {
            body += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        return body
    }
}
