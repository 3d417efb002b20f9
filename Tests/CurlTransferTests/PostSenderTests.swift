import CurlTransfer
import TestSupport
import TestTraits
import Testing

@Suite("Posts", .timeLimit(.minutes(1)), .ownThread)
struct PostSenderTests {
    @Test("The answer to one isn't what an earlier one has left on its connection")
    func strays() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let second = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        origin.serve("/hook") { request in
            request.index == 0 ? OriginAnswer(200).followed(by: second) : OriginAnswer(503)
        }
        let mailbox = PostMailbox(0)
        let sender = try PostSender(mailbox)
        let request = PostRequest(
            url: origin.url("/hook"),
            headers: [],
            body: Array("{}".utf8),
            deniedNetworks: [],
            userAgent: "facefetch-test/1"
        )
        #expect(sender.send(request) == .status(200, retryAfter: nil, field: nil))
        // The bytes behind it are on their way.
        while origin.requests("/hook").first?.ended == nil { await Task.yield() }
        #expect(sender.send(request) == .status(503, retryAfter: nil, field: nil))
        #expect(origin.requests("/hook").count == 2)
    }
}
