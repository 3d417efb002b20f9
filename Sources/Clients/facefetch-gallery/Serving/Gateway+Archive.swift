import Glibc
import HTTPServer
import HTTPTypes
import NIOCore
import Vocabulary

// Many documents as one archive.
extension Gateway {
    /// Answers with the documents of jobs, one after the other as they come: nothing is held.
    ///
    /// What can't be had is named in a text at the end. Where the daemon ends in the middle of a document, so does the
    /// connection, which tells the browser that something is missing.
    func archive(
        _ jobs: [Int64],
        _ request: Request,
        _ writer: consuming ResponseWriter,
        _ current: CurrentExchange
    ) async throws -> Rest {
        var fields = PageHeaders.fields
        fields[.contentType] = "application/zip"
        fields[.contentDisposition] = "attachment; filename=\"pictures.zip\""
        fields[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        if request.method == .head {
            // With its length unknown, the end of a chunked body follows, behind which no client would find another head.
            fields[.connection] = "close"
            try await writer.write(HTTPResponse(status: .ok, headerFields: fields), body: nil)
            return .unread
        }
        let head = HTTPResponse(status: .ok, headerFields: fields)
        let stream = try await writer.begin(head)
        var zip = ZipFormat(moment: .now)
        var names = ArchiveNames()
        var missing: [Int64] = []
        for job in jobs {
            let daemon = try await DaemonConnection(socket: socket, isThinned: false)
            current.begin { daemon.close() }
            defer { current.finish() }
            try await daemon.exchange(Self.question("/v1/jobs/\(job)/document"), body: nil) { head, body in
                var body = body
                guard head.status == .ok, let size = head.headerFields[.contentLength].flatMap({ UInt64($0) })
                else {
                    missing.append(job)
                    return
                }
                let name = names.name(suggested: head.headerFields[.contentDisposition], job: job)
                try await stream.write(ByteBuffer(bytes: zip.begin(name: name, size: size)))
                while let piece = try await body.next() {
                    guard piece.withUnsafeReadableBytes({ zip.add($0) }) else { throw Refusal.daemonBroke }
                    try await stream.write(piece)
                }
                guard let rest = zip.end() else { throw Refusal.daemonBroke }
                try await stream.write(ByteBuffer(bytes: rest))
            }
        }
        if !missing.isEmpty {
            let text = Array(Self.note(of: missing).utf8)
            try await stream.write(
                ByteBuffer(bytes: zip.begin(name: names.unused("MISSING.txt"), size: UInt64(text.count)))
            )
            _ = text.withUnsafeBytes { zip.add($0) }
            try await stream.write(ByteBuffer(bytes: text + (zip.end() ?? [])))
        }
        try await stream.write(ByteBuffer(bytes: zip.directory()))
        try await stream.finish()
        return .nothing
    }

    /// Returns once the daemon has answered.
    func askForNothing() async throws {
        let daemon = try await DaemonConnection(socket: socket, isThinned: false)
        try await daemon.exchange(Self.question("/v1/status"), body: nil) { _, _ in }
    }

    private static func question(_ path: String) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: path,
            headerFields: [.connection: "close"]
        )
    }

    private static func note(of missing: [Int64]) -> String {
        "These have no document to download:\n" + missing.map { "\(JobID($0))\n" }.joined()
    }
}

extension ZipFormat.Moment {
    /// The moment by this machine's clock.
    fileprivate static var now: ZipFormat.Moment {
        var seconds = Glibc.time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return ZipFormat.Moment(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min),
            second: Int(parts.tm_sec)
        )
    }
}
