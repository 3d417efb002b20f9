import Testing

@testable import SourceCore

@Suite struct SavedHeadTests {
    @Test("The head of the last response counts, with its links")
    func fields() throws {
        let head = try #require(
            SavedHead(
                "HTTP/1.1 302 Found\r\nLocation: /b\r\nX-WP-Total: 1\r\n\r\nHTTP/2 200 \r\nX-WP-Total:  42 \r\n"
                    + "Link: <https://h/2>; rel=\"next\"\r\nlink: </9>;\r\n rel=last\r\n"
                    + "Content-Type: text/csv; charset=gbk\r\nX-WP-Total: 7\r\n\r\n"
            )
        )
        #expect(head.fields["x-wp-total"] == "42" && head.fields["location"] == nil)
        #expect(head.fields["content-type"] == "text/csv; charset=gbk")
        #expect(head.links == ["next": "https://h/2", "last": "/9"])
        #expect(SavedHead("x-a: 1\n")?.fields == ["x-a": "1"])
        #expect(SavedHead("")?.fields.isEmpty == true)
    }

    @Test("What is no head is refused", arguments: ["<html>", "{\"a\": 1}", "no colon", ": x", "a b: c"])
    func refused(_ text: String) { #expect(SavedHead(text) == nil) }

    @Test("A head of more than 64 KiB is refused")
    func long() { #expect(SavedHead("a: " + String(repeating: "x", count: SavedHead.longest)) == nil) }
}
