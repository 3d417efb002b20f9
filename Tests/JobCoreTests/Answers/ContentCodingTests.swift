import JobCore
import JobModel
import Testing
import Vocabulary

@Suite("A Content-Encoding field")
struct ContentCodingTests {
    private func verdict(_ field: String, status: Int = 200) throws -> ResponseVerdict {
        var head = ResponseHead(status: status)
        (head.contentType, head.contentLength, head.entityTag) = ("image/jpeg", 1000, "\"v1\"")
        head.contentEncoding = field
        return ResponseVerdict(
            to: head,
            url: try JobURL("http://example.org/a.jpg"),
            resume: nil,
            policy: TransferPolicy(),
            now: Timestamp(microseconds: 0)
        )
    }

    @Test(
        "that names no registered coding says nothing of the body",
        arguments: [
            "utf-8", "UTF-8", "binary", "none", "7bit", "8bit", "aws-chunked", "", " ", ",", "identity",
            "Identity, utf-8", "text/plain", "utf-8,,binary ,",
        ]
    )
    func ignored(field: String) throws {
        guard case .accept(let start) = try verdict(field) else {
            Issue.record("refused")
            return
        }
        #expect(start.total == 1000)
        #expect(start.validator == .entityTag("\"v1\""))
    }

    @Test(
        "that names what is undone leaves length and validator unknown",
        arguments: ["gzip", "GZip", "x-gzip", "deflate", "deflate, gzip", "identity, gzip", " gzip ,"]
    )
    func undone(field: String) throws {
        guard case .accept(let start) = try verdict(field) else {
            Issue.record("refused")
            return
        }
        #expect(start.total == nil)
        #expect(start.validator == nil)
    }

    @Test(
        "beside a Transfer-Encoding is undone after it",
        arguments: [
            ("chunked", nil, []), ("gzip, chunked", nil, ["gzip"]), ("Gzip", "deflate", ["gzip", "deflate"]),
            ("identity", "x-gzip", ["x-gzip"]), (nil, "deflate, gzip", ["gzip", "deflate"]),
        ] as [(String?, String?, [String])]
    )
    func order(transfer: String?, content: String?, codings: [String]) {
        var head = ResponseHead(status: 200)
        (head.transferEncoding, head.contentEncoding) = (transfer, content)
        #expect(head.codings == codings)
        #expect(head.isIdentity == codings.isEmpty)
    }

    @Test(
        "or a Transfer-Encoding that makes no sense, or is unknown, ends the job, and says so",
        arguments: ["foo, chunked", "chunked, gzip", "gzip, gzip, gzip", "br"]
    )
    func refusedOnTheWay(field: String) throws {
        var head = ResponseHead(status: 200)
        head.transferEncoding = field
        let verdict = ResponseVerdict(
            to: head,
            url: try JobURL("http://example.org/a.jpg"),
            resume: nil,
            policy: TransferPolicy(),
            now: Timestamp(microseconds: 0)
        )
        let message = "the server sent the file with Transfer-Encoding \(field), which can't be decoded"
        #expect(verdict == .refused(JobFailure(.protocolError, message)))
    }

    @Test(
        "that names a registered coding which can't be decoded ends the job, and says so",
        arguments: [
            "zstd", "compress", "X-Compress", "exi", "pack200-gzip", "dcb", "dcz", "aes128gcm",
            "gzip, compress", "compress, gzip", "aws-chunked, gzip", "utf-8, compress",
        ]
    )
    func refused(field: String) throws {
        let message = "the server sent the file with Content-Encoding \(field), which can't be decoded"
        #expect(try verdict(field) == .refused(JobFailure(.protocolError, message)))
    }
}
