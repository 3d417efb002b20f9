import JobCore
import JobModel
import Testing
import Vocabulary

/// Tests that what a server sends is kept in small pieces, or not at all.
@Suite("What a server sends")
struct BoundedTextTests {
    private let long = String(repeating: "x", count: 95_000)

    private func verdict(
        resume: ResumePoint? = nil,
        _ change: (inout ResponseHead) -> Void
    ) throws -> ResponseVerdict {
        var head = ResponseHead(status: 200)
        head.contentType = "image/jpeg"
        change(&head)
        return ResponseVerdict(
            to: head,
            url: try JobURL("http://example.org/a.jpg"),
            resume: resume,
            policy: TransferPolicy(),
            now: Timestamp(microseconds: 0)
        )
    }

    @Test("as a type or an encoding is quoted in part, escaped, with the end of the sentence")
    func quoted() throws {
        for field in ["text/\u{1B}[2J" + long, "text/\r\n" + long] {
            guard case .acceptIfPicture(_, let failure) = try verdict({ $0.contentType = field }) else {
                Issue.record("taken")
                continue
            }
            #expect(failure.message.utf8.count <= 500)
            #expect(failure.message.hasSuffix("are accepted (transfer.accept)"))
            #expect(!failure.message.unicodeScalars.contains { $0.value < 0x20 })
        }
        guard case .refused(let failure) = try verdict({ $0.contentEncoding = "zstd, exi, " + long }) else {
            Issue.record("taken")
            return
        }
        #expect(failure.message.utf8.count <= 500)
        #expect(failure.message.hasSuffix("which can't be decoded"))
    }

    @Test("never makes a message of more than 500 bytes")
    func messages() throws {
        #expect(JobFailure(.protocolError, long).message.utf8.count == 500)
        #expect(JobFailure(.protocolError, "short").message == "short")
        let scheme = try verdict { ($0.status, $0.location) = (302, "\(long.prefix(8000))://example.org/") }
        guard case .refused(let failure) = scheme else {
            Issue.record("followed")
            return
        }
        #expect(failure.message.utf8.count <= 500)
    }

    @Test("as an entity tag or a date of absurd length proves nothing, and no other field stands in for it")
    func validators() throws {
        for tag in ["\"\(long)\"", "\"\(long.prefix(2000))\""] {
            let start = try verdict {
                $0.entityTag = tag
                $0.lastModified = "Fri, 21 Nov 2025 06:45:03 GMT"
                $0.date = "Sat, 22 Nov 2025 06:45:03 GMT"
            }
            guard case .accept(let start) = start else {
                Issue.record("refused")
                continue
            }
            #expect(start.validator == nil)
        }
        let dated = try verdict {
            $0.lastModified = "Fri, \(String(repeating: " ", count: 9000))21 Nov 2025 06:45:03 GMT"
            $0.date = "Sat, 22 Nov 2025 06:45:03 GMT"
        }
        guard case .accept(let start) = dated else {
            Issue.record("refused")
            return
        }
        #expect(start.validator == nil)
    }
}
