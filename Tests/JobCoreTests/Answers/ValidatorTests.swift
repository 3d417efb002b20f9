import JobModel
import Testing

@testable import JobCore

@Suite("A validator")
struct ValidatorTests {
    private func head(tag: String? = nil, modified: String? = nil, date: String? = nil) -> ResponseHead {
        var head = ResponseHead(status: 200)
        (head.entityTag, head.lastModified, head.date) = (tag, modified, date)
        return head
    }

    private let modified = "Sat, 01 Nov 2025 10:00:00 GMT"

    @Test("is the strong entity tag, verbatim")
    func strongTag() { #expect(Validator(head(tag: "\"a-b\"")) == .entityTag("\"a-b\"")) }

    @Test("is none where the tag is weak, even beside a date (RFC 9110 §13.1.5)")
    func weakTag() {
        #expect(Validator(head(tag: "W/\"a\"")) == nil)
        #expect(
            Validator(head(tag: "W/\"a\"", modified: modified, date: "Sun, 02 Nov 2025 10:00:00 GMT")) == nil
        )
    }

    @Test(
        "is no tag that breaks the grammar",
        arguments: ["a", "\"a", "\"a\"b\"", "\"a b\"", "w/\"a\"", "\""]
    )
    func badTag(_ tag: String) { #expect(Validator(head(tag: tag)) == nil) }

    @Test("is a date at least a second before the response's own (§8.8.2.2)")
    func strongDate() {
        #expect(
            Validator(head(modified: modified, date: "Sat, 01 Nov 2025 10:00:01 GMT"))
                == .lastModified(modified)
        )
        #expect(Validator(head(modified: modified, date: modified)) == nil)
        #expect(Validator(head(modified: modified)) == nil)
        #expect(Validator(head(modified: "yesterday", date: modified)) == nil)
    }

    @Test("is none where the response has none")
    func none() { #expect(Validator(head()) == nil) }
}

@Suite("An HTTP date")
struct HTTPDateTests {
    @Test(
        "is read in all three forms of RFC 9110 §5.6.7",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func forms(_ text: String) { #expect(HTTPDate(text)?.seconds == 784_111_777) }

    @Test("counts leap days")
    func leapDays() {
        #expect(HTTPDate("Thu, 29 Feb 2024 00:00:00 GMT")?.seconds == 1_709_164_800)
        #expect(HTTPDate("Fri, 01 Mar 2024 00:00:00 GMT")?.seconds == 1_709_251_200)
        #expect(HTTPDate("Thu, 01 Jan 1970 00:00:00 GMT")?.seconds == 0)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "0", "now", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
        ]
    )
    func garbage(_ text: String) { #expect(HTTPDate(text) == nil) }
}

@Suite("A Content-Range")
struct ContentRangeTests {
    @Test("says which bytes of how many")
    func whole() throws {
        let range = try #require(ContentRange("bytes 0-499/1234"))
        #expect(range.bounds == 0...499)
        #expect(range.total == 1234)
        #expect(ContentRange("bytes 0-499/*")?.total == nil)
        #expect(ContentRange("Bytes 0-0/1")?.bounds == 0...0)
    }

    @Test("says of what can't be had only the length")
    func unsatisfied() throws {
        let range = try #require(ContentRange("bytes */1234"))
        #expect(range.bounds == nil)
        #expect(range.total == 1234)
    }

    @Test(
        "is nothing that can't be",
        arguments: [
            "", "bytes", "bytes 0-499", "bytes 500-499/1234", "bytes 0-1234/1234", "bytes -5-10/20",
            "bytes */*",
            "items 0-1/2", "bytes 0-499/12x", "bytes 0-99999999999999999999/99999999999999999999",
            "bytes 0--1/5",
            "bytes 0-499/1234, 600-700/1234", "bytes 0-9223372036854775807/*",
        ]
    )
    func impossible(_ text: String) { #expect(ContentRange(text) == nil) }
}

@Suite("Retry-After")
struct RetryAfterTests {
    private func seconds(_ field: String?, date: String? = nil, now: Int64 = 0) -> Double? {
        var head = ResponseHead(status: 503)
        (head.retryAfter, head.date) = (field, date)
        return RetryAfter.seconds(in: head, now: Timestamp(microseconds: now * 1_000_000))
    }

    @Test("in seconds is taken as it is, however long that is")
    func delay() {
        #expect(seconds("120") == 120)
        #expect(seconds("0") == 0)
        #expect(seconds("86400") == 86_400)
        #expect(seconds("99999999999999999999999") == .infinity)
    }

    @Test("as a date counts from the server's clock, or else from ours")
    func date() {
        let until = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(seconds(until, date: "Sun, 06 Nov 1994 08:48:37 GMT", now: 5) == 60)
        #expect(seconds(until, now: 784_111_777 - 30) == 30)
        #expect(seconds(until, now: 784_111_777 + 30) == -30)
    }

    @Test("that can't be read, or isn't there, asks for nothing", arguments: [nil, "", "-5", "soon", "1.5"])
    func nothing(_ field: String?) { #expect(seconds(field) == nil) }
}
