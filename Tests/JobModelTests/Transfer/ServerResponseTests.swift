import Testing
import Vocabulary

@testable import JobModel

@Suite("What a server said of a file")
struct ServerResponseTests {
    private static let time = Timestamp(microseconds: 1_700_000_000_000_000)
    private static let full = ServerResponse(
        finalURL: "https://cdn.example.org/ü.jpg",
        status: 200,
        contentType: "image/jpeg; charset=binary",
        lastModified: Timestamp(microseconds: 1_600_000_000_000_000),
        entityTag: "W/\"a b\"",
        robots: "noai, noimageai",
        receivedAt: time
    )

    @Test("comes back from the store as it was")
    func text() {
        let bare = ServerResponse(finalURL: nil, status: 206, receivedAt: Self.time)
        for response in [Self.full, bare] { #expect(ServerResponse(text: response.text) == response) }
        // A later version may have more to say.
        #expect(ServerResponse(text: Self.full.text + "\nmore\nand more") == Self.full)
        for damaged in ["", "200", "200\n5\n\n\n", "x\n5\n\n\n\n", "99\n5\n\n\n\n", "200\nx\n\n\n\n"] {
            #expect(ServerResponse(text: damaged) == nil)
        }
    }

    @Test("is one line each, and has a limit")
    func bounds() {
        let long = String(repeating: "é\r\n", count: 10_000)
        let response = ServerResponse(
            finalURL: long,
            status: 200,
            contentType: "a\nb\u{7F}c\r\nd",
            entityTag: long,
            robots: long,
            receivedAt: Self.time
        )
        #expect(response.contentType == "a b c  d")
        #expect(response.finalURL?.utf8.count ?? 0 <= JobURL.maximumLength)
        #expect(response.entityTag?.utf8.count ?? 0 <= ServerResponse.longestTag)
        #expect(response.robots?.utf8.count ?? 0 <= ServerResponse.longestRobots)
        #expect(ServerResponse(text: response.text) == response)
    }

    @Test(
        "has a time to go by if that is after 1970 and not to come",
        arguments: [
            (nil, nil), (1_600_000_000, 1_600_000_000), (1, 1), (0, nil), (-1, nil), (-60_000_000_000, nil),
            (1_700_000_000, 1_700_000_000), (1_700_000_001, nil), (200_000_000_000, nil),
        ] as [(Int64?, Int64?)]
    )
    func modificationTime(said: Int64?, time: Int64?) {
        var response = Self.full
        response.lastModified = said.map { Timestamp(microseconds: $0 * 1_000_000) }
        #expect(response.modificationTime(asOf: Self.time) == time)
    }
}
