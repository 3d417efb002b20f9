import Glibc

/// One connection: reads requests and sends answers until either side has enough.
struct OriginConnection {
    let socket: OriginSocket
    let origin: Origin

    /// Bytes that go out in one piece; small enough for gates and pace to be exact.
    private static let sliceSize = 16 * 1024

    func run() {
        defer {
            origin.forget(socket)
            socket.close()
        }
        var buffered: [UInt8] = []
        while let head = readHead(&buffered), var request = Self.parse(head) {
            guard let body = readBody(of: request, &buffered) else { return }
            request.body = body
            let numbered = origin.record(request)
            let isOpen = send(
                origin.answer(to: numbered.request),
                record: numbered.record,
                isHead: request.method == "HEAD"
            )
            origin.end(record: numbered.record)
            guard isOpen else { return }
        }
    }

    /// Sends an answer; false when the connection is over.
    private func send(_ answer: OriginAnswer, record: Int, isHead: Bool) -> Bool {
        for (offset, gate) in answer.gates where offset < 0 { origin.wait(at: gate) }
        if let raw = answer.raw {
            _ = socket.send(raw[...])
            return false
        }
        guard socket.send(Array(head(of: answer).utf8)[...]) else { return false }
        if let endless = answer.endlessHead {
            sendEndless(endless)
            return false
        }
        guard socket.send(Array("\r\n".utf8)[...]) else { return false }
        if isHead { return true }
        guard sendBody(of: answer, record: record) else { return false }
        if case .untilClose = answer.framing { return false }
        if case .announced(let count) = answer.framing, count > answer.body.count { return false }
        if !answer.strays.isEmpty, !answer.hasStraysAtOnce || answer.body.count == 0 {
            return socket.send(answer.strays[...])
        }
        return true
    }

    private func head(of answer: OriginAnswer) -> String {
        var head = "HTTP/1.1 \(answer.status) Answer\r\n"
        for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
        switch answer.framing {
        case .contentLength where answer.status == 204 || answer.status == 304: break
        case .contentLength: head += "Content-Length: \(answer.body.count)\r\n"
        case .announced(let count): head += "Content-Length: \(count)\r\n"
        case .chunked: head += "Transfer-Encoding: chunked\r\n"
        case .untilClose: head += "Connection: close\r\n"
        }
        return head
    }

    private func sendBody(of answer: OriginAnswer, record: Int) -> Bool {
        let isChunked = if case .chunked = answer.framing { true } else { false }
        var gates = answer.gates.filter { $0.offset >= 0 }.sorted { $0.offset < $1.offset }
        var pace = answer.bytesPerSecond.map(OriginPace.init)
        var sent = 0
        var isAlive = true
        func passGates() {
            while let (offset, gate) = gates.first, offset <= sent {
                gates.removeFirst()
                origin.wait(at: gate)
                pace = answer.bytesPerSecond.map(OriginPace.init)
            }
        }
        passGates()
        if let cut = answer.cut, cut.after == 0 { return end(cut.how) }
        answer.body.forEachSlice(of: min(Self.sliceSize, pace?.slice ?? Self.sliceSize)) { slice in
            var rest = slice
            while !rest.isEmpty, isAlive {
                let stops = [gates.first?.offset, answer.cut?.after].compactMap { $0 }.filter { $0 > sent }
                let piece = rest.prefix((stops.min() ?? Int.max) - sent)
                pace?.wait(for: piece.count)
                // Before it is sent, so that who has the bytes finds them counted.
                origin.count(piece.count, record: record)
                let isLast = answer.hasStraysAtOnce && sent + piece.count == answer.body.count
                isAlive = isChunked ? sendChunk(piece) : socket.send(isLast ? piece + answer.strays : piece)
                guard isAlive else {
                    origin.count(-piece.count, record: record)
                    return false
                }
                sent += piece.count
                rest = rest.dropFirst(piece.count)
                passGates()
                if let cut = answer.cut, cut.after <= sent { isAlive = end(cut.how) }
            }
            return isAlive
        }
        guard isAlive else { return false }
        return !isChunked || socket.send(Array("0\r\n\r\n".utf8)[...])
    }

    private func end(_ how: OriginAnswer.Cut) -> Bool {
        if case .reset = how { socket.resetOnClose() }
        return false
    }

    private func sendChunk(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
        return socket.send((head + bytes + Array("\r\n".utf8))[...])
    }

    private func sendEndless(_ head: OriginAnswer.EndlessHead) {
        let text =
            switch head {
            case .fields: String(repeating: "X-Filler: \(String(repeating: "x", count: 80))\r\n", count: 100)
            case .value: String(repeating: "x", count: 10_000)
            }
        if case .value = head, !socket.send(Array("X-Filler: ".utf8)[...]) { return }
        let bytes = Array(text.utf8)
        while socket.send(bytes[...]) {}
    }

    /// Reads up to the empty line; what follows it stays in the buffer.
    private func readHead(_ buffered: inout [UInt8]) -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let found = buffered.firstRange(of: end) {
                let head = String(decoding: buffered[..<found.lowerBound], as: UTF8.self)
                buffered.removeSubrange(..<found.upperBound)
                return head
            }
            guard buffered.count < 1 << 20, let more = socket.receive() else { return nil }
            buffered += more
        }
    }

    /// Reads the body that a request announces; nil if it breaks off, or is longer than a mebibyte.
    private func readBody(of request: OriginRequest, _ buffered: inout [UInt8]) -> [UInt8]? {
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        guard (0...1 << 20).contains(length) else { return nil }
        while buffered.count < length {
            guard let more = socket.receive() else { return nil }
            buffered += more
        }
        defer { buffered.removeSubrange(..<length) }
        return Array(buffered[..<length])
    }

    private static func parse(_ head: String) -> OriginRequest? {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        let target = String(words[1])
        let path = String(target.prefix { $0 != "?" })
        return OriginRequest(index: 0, method: String(words[0]), target: target, path: path, headers: headers)
    }
}

/// Holds back a body so that it goes at so many bytes a second.
private struct OriginPace {
    let bytesPerSecond: Int
    private let begun: Double
    private var sent = 0

    init(bytesPerSecond: Int) {
        self.bytesPerSecond = max(bytesPerSecond, 1)
        begun = Self.seconds()
    }

    /// A twentieth of a second's worth at a time keeps the flow even.
    var slice: Int { max(bytesPerSecond / 20, 1) }

    mutating func wait(for count: Int) {
        sent += count
        let ahead = begun + Double(sent) / Double(bytesPerSecond) - Self.seconds()
        if ahead > 0 { usleep(UInt32(min(ahead, 60) * 1_000_000)) }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
