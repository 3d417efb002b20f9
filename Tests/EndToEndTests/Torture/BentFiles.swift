import TestSupport

/// Files of two versions each, of the same length, whose server answers each range in one of many honest and dishonest
/// ways, as a seed decides.
///
/// No answer lies about what nobody could find out: a part is never of another version under the tag of the one that was
/// asked for.
struct BentFiles: Sendable {
    let seed: UInt64
    let count: Int

    /// The bytes that one block has, all of which tell the file, its version and the block.
    private static let blockSize = 4096
    /// The numbers of files that are so large that they come in segments: one in so many.
    private static let largeEvery = 40

    func name(_ number: Int) -> String { "b\(number).jpg" }

    /// The length of a file in bytes.
    func length(_ number: Int) -> Int {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 7919)
        return number % Self.largeEvery == 1
            ? Int.random(in: 33 << 20...36 << 20, using: &generator)
            : Int.random(in: 200_000...2_000_000, using: &generator)
    }

    /// The bytes of a version of a file, 0 or 1.
    func bytes(_ number: Int, version: Int) -> [UInt8] {
        let length = length(number)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            for offset in stride(from: 0, to: length, by: Self.blockSize) {
                let block = offset / Self.blockSize
                let value = UInt8(truncatingIfNeeded: (number &* 31 &+ block) &* 2 &+ version)
                for index in offset..<min(offset + Self.blockSize, length) { buffer[index] = value }
            }
            // As a picture begins.
            for (index, byte) in [0xFF, 0xD8, 0xFF, 0xE0].enumerated() { buffer[index] = UInt8(byte) }
            count = length
        }
    }

    private func file(_ number: Int, version: Int) -> OriginFile {
        let date = version == 0 ? "Sat, 01 Nov 2025 10:00:00 GMT" : "Sun, 02 Nov 2025 10:00:00 GMT"
        // Some have a tag, and some a date alone.
        let tag = number % 5 == 0 ? nil : "\"\(number)-\(version)\""
        return OriginFile(bytes(number, version: version), entityTag: tag, lastModified: date)
    }

    /// The answer to a request for a file.
    func answer(_ number: Int, to request: OriginRequest) -> OriginAnswer {
        var generator = SeededGenerator(
            seed: seed &+ UInt64(number) &* 104_729 &+ UInt64(request.index) &* 1_299_709
        )
        // It changes once, at some request.
        let version = request.index >= Int((seed &+ UInt64(number)) % 9) + 2 ? 1 : 0
        let file = file(number, version: version)
        guard let range = request.range else {
            // What comes whole at once asks for no range.
            if Int.random(in: 0..<8, using: &generator) == 0 { return file.whole }
            return file.whole.cut(
                after: Int.random(in: 0...file.bytes.count, using: &generator),
                Bool.random(using: &generator) ? .close : .reset
            )
        }
        // Now and then it is honest, or nothing would ever come to its end.
        guard Int.random(in: 0..<3, using: &generator) > 0 else { return file.answer(to: request) }
        let other = self.file(number, version: 1 - version)
        let ways = Self.ways
        return ways[Int.random(in: 0..<ways.count, using: &generator)](
            Question(request: request, file: file, other: other, first: range.first, last: range.last)
        )
    }

    private struct Question {
        var request: OriginRequest
        /// The version that there is, and the one that isn't.
        var file: OriginFile
        var other: OriginFile
        var first: Int
        var last: Int?

        var honest: OriginAnswer { file.answer(to: request) }
        var part: OriginAnswer { file.part(from: first, to: last) }
        var total: Int { file.bytes.count }
        var end: Int { min(last ?? total - 1, total - 1) }

        /// The honest answer, with at most so many bytes where it is a part.
        func capped(at most: Int) -> OriginAnswer {
            honest.status == 206 ? file.part(from: first, to: min(end, first + most - 1)) : honest
        }

        /// The honest answer, whose Content-Range says otherwise where it has one.
        func saying(_ range: String?) -> OriginAnswer {
            honest.status == 206 ? honest.header("Content-Range", range) : honest
        }
    }

    private static let page = Array(String(repeating: "<p>Please log in.</p>", count: 400).utf8)

    /// The ways in which a range is answered.
    private static let ways: [@Sendable (Question) -> OriginAnswer] = [
        // Parts of what there is, all of it, or some.
        { $0.honest }, { $0.capped(at: 64 << 10) }, { $0.capped(at: 256 << 10) }, { $0.capped(at: 1 << 20) },
        { $0.capped(at: 1) }, { $0.capped(at: 70_000).cut(after: 50_000) },
        { $0.honest.framed(.chunked) }, { $0.honest.framed(.untilClose) },
        { $0.honest.cut(after: 1000) }, { $0.honest.cut(after: 100_000, .reset) },
        { $0.honest.cut(after: 0) },
        { question in
            question.honest.status == 206 ? question.file.part(from: question.first) : question.honest
        },
        // The whole of what there is.
        { $0.file.whole }, { $0.file.whole.framed(.chunked) }, { $0.file.whole.cut(after: 150_000) },
        { $0.file.whole.header("ETag", nil).header("Last-Modified", nil) },
        // What has another version, and leaves out which.
        { $0.other.part(from: $0.first, to: $0.last).header("ETag", nil).header("Last-Modified", nil) },
        { $0.part.header("ETag", nil).header("Last-Modified", nil) },
        { $0.other.part(from: $0.first, to: $0.last) }, { $0.other.whole },
        { $0.other.whole.header("ETag", nil).header("Last-Modified", nil) },
        { $0.other.whole.cut(after: 90_000) },
        { $0.part.header("ETag", "W/\($0.file.entityTag ?? "\"w\"")").header("Last-Modified", nil) },
        { $0.other.part(from: $0.first, to: $0.last).header("ETag", nil) },
        // Content-Range that can't be, or says something else.
        { $0.saying("bytes 0-\($0.end)/\($0.total)") },
        { $0.saying("bytes \($0.first + 1)-\($0.end)/\($0.total)") },
        { $0.saying("bytes \($0.first)-\($0.end)/\($0.total + 1)") },
        { $0.saying("bytes \($0.first)-\($0.end)/*") }, { $0.saying(nil) }, { $0.saying("bytes x-y/z") },
        { $0.saying("lines \($0.first)-\($0.end)/\($0.total)") },
        { $0.honest.header("Content-Type", "multipart/byteranges; boundary=x") },
        { $0.honest.framed(.announced($0.honest.body.count + 1000)) },
        // Of a whole file nobody could tell: what is announced is what there is.
        { question in
            let honest = question.honest
            return honest.status == 206 ? honest.framed(.announced(max(0, honest.body.count - 1000))) : honest
        },
        { $0.honest.header("Content-Encoding", "gzip") },
        // Something else.
        { _ in OriginAnswer(200, [("Content-Type", "text/html")], body: page) },
        { _ in OriginAnswer(200, [("Content-Type", "image/jpeg")], body: page) },
        { _ in OriginAnswer(200, [("Content-Type", "image/jpeg")]) },
        { _ in OriginAnswer(500) }, { _ in OriginAnswer(502) }, { _ in OriginAnswer(503) },
        { _ in OriginAnswer(204) },
        { _ in OriginAnswer(304) }, { _ in OriginAnswer(412) },
        { OriginAnswer(416).header("Content-Range", "bytes */\($0.total)") },
        { OriginAnswer(416).header("Content-Range", "bytes */\($0.first)") },
        { _ in .garbage(Array("\r\n\r\nHTTP/1.1 200 OK".utf8)) }, { _ in .garbage([]) },
        { $0.honest.followed(by: Array("\n".utf8)) },
        { $0.honest.followed(by: Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong".utf8)) },
    ]
}
