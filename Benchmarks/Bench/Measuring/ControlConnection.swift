import Foundation
import Glibc

/// A connection to a control socket that is kept open: one request after the other.
final class ControlConnection {
    let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 20)

    init(path: String) throws(BenchError) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                connect(
                    descriptor,
                    $0.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(bytes.count)
                )
            }
        }
        guard result == 0 else { throw .failed("\(path) can't be reached") }
    }

    deinit { close(descriptor) }

    /// Asks for a path, and gives the answer's body.
    func get(_ path: String) throws(BenchError) -> Data {
        try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try answer(status: "200")
    }

    /// Posts a body, and gives the answer's body.
    @discardableResult
    func post(_ path: String, _ body: String, status: String = "201") throws(BenchError) -> Data {
        try send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        )
        return try answer(status: status)
    }

    /// Sends a request as it is.
    func send(_ text: String) throws(BenchError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .failed("the control socket takes no request") }
            rest = rest.dropFirst(count)
        }
    }

    private func answer(status: String) throws(BenchError) -> Data {
        var answer = Data()
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw .failed("the control socket gives no answer") }
            answer.append(contentsOf: buffer[..<count])
            guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
            guard head.hasPrefix("http/1.1 \(status)"), let field = head.firstRange(of: "content-length: "),
                let length = Int(head[field.upperBound...].prefix { $0.isNumber })
            else { throw .failed("the control socket answers \(head.prefix(40))") }
            if answer.count - end.upperBound >= length { return answer[end.upperBound...] }
        }
    }
}
