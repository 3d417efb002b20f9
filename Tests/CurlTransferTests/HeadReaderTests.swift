import Testing

@testable import CurlTransfer

@Suite("Reading a response's head")
struct HeadReaderTests {
    /// Returns the progress after the last line.
    private func progress(_ lines: [String]) -> HeadReader.Progress {
        var reader = HeadReader()
        var last = HeadReader.Progress.more
        for line in lines { last = Array((line + "\r\n").utf8).withUnsafeBytes { reader.parse($0) } }
        return last
    }

    @Test(
        "a length is digits and nothing else",
        arguments: ["+5", "-5", "", "5 5", "5,5", "0x5", "9223372036854775808"]
    )
    func lengths(text: String) {
        #expect(
            progress(["HTTP/1.1 200 OK", "Content-Length: \(text)"])
                == .malformed("its Content-Length is not a number")
        )
    }

    /// A reader that has had these lines, and a blank one.
    private func read(_ lines: [String], isSecure: Bool = true) -> HeadReader {
        var reader = HeadReader(isSecure: isSecure)
        for line in lines + [""] {
            _ = Array((line + "\r\n").utf8).withUnsafeBytes { reader.parse($0) }
        }
        return reader
    }

    @Test(
        "a field is a field, whatever its name: a status line is the first line, or follows an interim response",
        arguments: [
            "HTTP/1.1 200 OK: x", "HTTP/2: 200 x", "HTTP/2 200 x: y", "http/1.1 200 OK: x", "HTTP/1.1 103: x",
        ]
    )
    func fieldsLikeStatusLines(line: String) {
        let reader = read(["HTTP/1.1 404 Not Found", "ETag: \"v1\"", line, "Content-Type: text/html"])
        #expect(reader.isComplete && !reader.isFramed)
        #expect(reader.head.status == 404)
        #expect(reader.head.entityTag == "\"v1\"" && reader.head.contentType == "text/html")
        var page = PageHeadReader()
        for text in ["HTTP/1.1 404 Not Found", "ETag: \"v1\"", line, "Content-Type: text/html", ""] {
            let isRead = Array((text + "\r\n").utf8).withUnsafeBytes { page.parse($0) }
            #expect(isRead)
        }
        #expect(page.status == 404 && page.fields.count == 3)
    }

    @Test("after interim responses comes another status line, and nothing of theirs is kept")
    func interim() {
        let reader = read([
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "ETag: \"early\"", "HTTP/1.1 200 OK: x",
            "",
            "HTTP/1.1 404 Not Found", "Content-Length: 5",
        ])
        #expect(reader.isComplete && reader.isFramed)
        #expect(reader.head.status == 404 && reader.head.entityTag == nil && reader.head.contentLength == 5)
    }

    @Test("a trailer changes nothing, whatever it is")
    func trailer() {
        let reader = read([
            "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "HTTP/1.1 404 Not Found", "ETag: \"late\"",
            "Content-Encoding: gzip",
        ])
        #expect(reader.head.status == 200 && reader.head.entityTag == nil && reader.head.isIdentity)
    }

    @Test("a status line has three digits", arguments: ["+20", "20", "abc", "099", ""])
    func status(text: String) {
        #expect(progress(["HTTP/1.1 \(text)"]) == .malformed("its first line is not a status line"))
        #expect(progress(["Content-Length: 5"]) == .malformed("its first line is not a status line"))
    }

    @Test("frames show where a body ends only where there can be frames")
    func frames() {
        #expect(read(["HTTP/2 200 "]).isFramed)
        #expect(!read(["HTTP/2 200 "], isSecure: false).isFramed)
        #expect(!read(["HTTP/2.0 200 OK"], isSecure: false).isFramed)
        #expect(!read(["HTTP/1.1 200 OK"]).isFramed)
    }

    @Test("chunks show where a body ends only as the last transfer coding, and by their whole name")
    func chunks() {
        for field in ["chunked", "gzip, Chunked", "chunked,chunked", " chunked ,"] {
            #expect(read(["HTTP/1.1 200 OK", "Transfer-Encoding: \(field)"]).isFramed, "\(field)")
        }
        for field in ["xchunked", "chunked, gzip", "gzip", "identity", "chunked;q=1"] {
            let reader = read(["HTTP/1.1 200 OK", "Transfer-Encoding: \(field)", "Content-Length: 5"])
            #expect(!reader.isFramed && reader.head.contentLength == nil, "\(field)")
        }
        let two = read(["HTTP/1.1 200 OK", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked"])
        #expect(two.isFramed && two.head.codings == ["gzip"])
    }

    @Test("a field may go on in the next line, unless it frames the body, where libcurl wouldn't look for it")
    func folded() {
        let reader = read([
            "HTTP/1.1 200 OK", " Location: /x", "Content-Type: image/png;", "\tname=a", "X-Other: 1",
            "  ETag: \"x\"",
            "ETag: \"v1\"", "ETag: \"v2\"", " more", "Content-Encoding:", " gzip",
        ])
        #expect(reader.head.contentType == "image/png; name=a" && reader.head.location == nil)
        #expect(reader.head.entityTag == "\"v1\"" && reader.head.codings == ["gzip"])
        #expect(
            progress(["HTTP/1.1 200 OK", "Content-Length: 5", " 5"])
                == .malformed("its Content-Length goes on in another line")
        )
        #expect(
            progress(["HTTP/1.1 200 OK", "Transfer-Encoding:", " chunked"])
                == .malformed("its Transfer-Encoding goes on in another line")
        )
    }

    @Test("leading zeros and spaces around it are none of its value")
    func zeros() {
        #expect(progress(["HTTP/1.1 200 OK", "Content-Length: \t005 ", "content-length:5", ""]) == .complete)
    }

    @Test("bytes that are no UTF-8 stay the same in a Location, and are ISO 8859-1 in other fields")
    func bytes() {
        var reader = HeadReader()
        var fields = Array("HTTP/1.1 302 Found\r\nLocation: /caf".utf8)
        fields += [0xE9] + Array(".jpg\r\nContent-Disposition: inline; filename=\"caf".utf8)
        fields += [0xE9] + Array(".jpg\"\r\nETag: \"caf\u{E9}\"\r\n\r\n".utf8)
        for line in fields.split(separator: 0x0A) {
            _ = Array(line + [0x0A]).withUnsafeBytes { reader.parse($0) }
        }
        #expect(reader.isComplete)
        #expect(reader.head.location == "/caf%E9.jpg")
        #expect(reader.head.contentDisposition == "inline; filename=\"caf\u{E9}.jpg\"")
        #expect(reader.head.entityTag == "\"caf\u{E9}\"")
    }

    @Test("the head of a page's answer is read in the same way")
    func pages() {
        var reader = PageHeadReader()
        var lines: [[UInt8]] = [Array("HTTP/1.1 302 Found\r\n".utf8)]
        for start in ["Location: /", "LINK: </", "X-Title: "] {
            lines.append(Array(start.utf8) + [0xE9, 0x0A])
        }
        for line in lines { _ = line.withUnsafeBytes { reader.parse($0) } }
        #expect(reader.status == 302)
        #expect(reader.fields.map(\.value) == ["/%E9", "</%E9", "\u{E9}"])
    }
}
