import JobModel
import Testing
import Vocabulary

@testable import JobCore

/// The table of what a resume believes, and what it does with everything else.
@Suite("The verdict on a response")
struct ResponseVerdictTests {
    private static let url = try? JobURL("https://example.org/pictures/a.jpg")
    private static let tag = Validator.entityTag("\"v1\"")
    private static let modified = "Sat, 01 Nov 2025 10:00:00 GMT"
    private static let later = "Sat, 01 Nov 2025 10:00:01 GMT"

    /// The kind of a verdict, without its words.
    enum Kind: Equatable {
        case fresh
        case resumed
        case restarted
        case complete
        case mustRestart
        case redirect
        case interrupted(FailureCode)
        case refused(FailureCode)
        /// It is taken if it is a picture.
        case judged(FailureCode)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var resume: ResumePoint?
        var head: ResponseHead
        var expected: Kind

        var testDescription: String { name }

        init(_ name: String, _ resume: ResumePoint?, _ expected: Kind, _ change: (inout ResponseHead) -> Void)
        {
            self.name = name
            self.resume = resume
            self.expected = expected
            head = ResponseHead(status: 206)
            // Each row is about one thing alone.
            if case .entityTag(let tag)? = resume?.validator { head.entityTag = tag }
            head.contentType = "image/jpeg"
            change(&head)
        }
    }

    private static func point(
        _ offset: Int64 = 400,
        total: Int64? = 1000,
        _ validator: Validator = tag,
        host: String? = nil
    )
        -> ResumePoint
    { ResumePoint(offset: offset, total: total, validator: validator, host: host) }

    private static func kind(
        _ head: ResponseHead,
        resume: ResumePoint?,
        policy: TransferPolicy = TransferPolicy()
    )
        throws -> Kind
    { kind(try verdict(head, resume: resume, policy: policy)) }

    private static func verdict(
        _ head: ResponseHead,
        resume: ResumePoint?,
        policy: TransferPolicy = TransferPolicy()
    ) throws -> ResponseVerdict {
        ResponseVerdict(
            to: head,
            url: try #require(url),
            resume: resume,
            policy: policy,
            now: Timestamp(microseconds: 1_000_000_000_000_000)
        )
    }

    private static func kind(_ verdict: ResponseVerdict) -> Kind {
        switch verdict {
        case .accept(let start):
            switch start.mode {
            case .fresh: .fresh
            case .resumed: .resumed
            case .restarted: .restarted
            }
        case .complete: .complete
        case .mustRestart: .mustRestart
        case .redirect: .redirect
        case .interrupted(let failure, _), .busy(let failure, _): .interrupted(failure.code)
        case .refused(let failure): .refused(failure.code)
        case .acceptIfPicture(_, let failure): .judged(failure.code)
        }
    }

    static let resumed: [Row] = [
        Row("an exact 206", point(), .resumed) {
            ($0.contentRange, $0.contentLength, $0.entityTag) = ("bytes 400-999/1000", 600, "\"v1\"")
        },
        Row("an exact 206 without a length of its own", point(), .resumed) {
            $0.contentRange = "bytes 400-999/1000"
        },
        Row("a 206 that leaves out its tag", point(), .mustRestart) {
            ($0.contentRange, $0.entityTag) = ("bytes 400-999/1000", nil)
        },
        Row("a 206 that leaves out its date", point(400, total: 1000, .lastModified(modified)), .mustRestart)
        {
            $0.contentRange = "bytes 400-999/1000"
        },
        Row("a 206 of another host under the same tag", point(host: "mirror.example.org:443"), .resumed) {
            $0.contentRange = "bytes 400-999/1000"
        },
        Row(
            "a 206 of another host under the same date",
            point(400, total: 1000, .lastModified(modified), host: "mirror.example.org:443"),
            .mustRestart
        ) { ($0.contentRange, $0.lastModified) = ("bytes 400-999/1000", modified) },
        Row("a 206 with only a date, for a tag", point(), .mustRestart) {
            ($0.contentRange, $0.entityTag, $0.lastModified) = ("bytes 400-999/1000", nil, modified)
        },
        Row("a 206 that stops before the end", point(), .resumed) {
            ($0.contentRange, $0.contentLength) = ("bytes 400-499/1000", 100)
        },
        Row("a 206 from an earlier byte", point(), .mustRestart) { $0.contentRange = "bytes 0-999/1000" },
        Row("a 206 from a later byte", point(), .mustRestart) { $0.contentRange = "bytes 401-999/1000" },
        Row("a 206 of a longer file", point(), .mustRestart) { $0.contentRange = "bytes 400-1000/1001" },
        Row("a 206 of a shorter file", point(), .mustRestart) { $0.contentRange = "bytes 400-998/999" },
        Row("a 206 of a file of unknown length", point(), .mustRestart) {
            $0.contentRange = "bytes 400-999/*"
        },
        Row("a 206 without Content-Range", point(), .mustRestart) { $0.contentLength = 600 },
        Row("a 206 with a Content-Range in other units", point(), .mustRestart) {
            $0.contentRange = "lines 400-999/1000"
        },
        Row("a 206 whose Content-Range can't be", point(), .mustRestart) {
            $0.contentRange = "bytes 400-1000/1000"
        },
        Row("a 206 in several parts", point(), .mustRestart) {
            $0.contentType = "multipart/byteranges; boundary=x"
            $0.contentRange = "bytes 400-999/1000"
        },
        Row("a 206 of another length than it says", point(), .mustRestart) {
            ($0.contentRange, $0.contentLength) = ("bytes 400-999/1000", 599)
        },
        Row("a 206 compressed in spite of identity", point(), .mustRestart) {
            ($0.contentRange, $0.contentEncoding) = ("bytes 400-999/1000", "gzip")
        },
        Row("a 206 under another tag, though start and total match", point(), .mustRestart) {
            ($0.contentRange, $0.entityTag) = ("bytes 400-999/1000", "\"v2\"")
        },
        Row("a 206 under the same tag turned weak", point(), .mustRestart) {
            ($0.contentRange, $0.entityTag) = ("bytes 400-999/1000", "W/\"v1\"")
        },
        Row("a 206 under the same date", point(400, total: 1000, .lastModified(modified)), .resumed) {
            ($0.contentRange, $0.lastModified) = ("bytes 400-999/1000", modified)
        },
        Row("a 206 under another date", point(400, total: 1000, .lastModified(modified)), .mustRestart) {
            ($0.contentRange, $0.lastModified) = ("bytes 400-999/1000", later)
        },
        Row("a 206 that confirms the tag of a file of unknown length", point(total: nil), .resumed) {
            ($0.contentRange, $0.entityTag) = ("bytes 400-999/1000", "\"v1\"")
        },
        Row("a 206 that confirms nothing of a file of unknown length", point(total: nil), .mustRestart) {
            ($0.contentRange, $0.entityTag) = ("bytes 400-999/1000", nil)
        },
        Row("a 206 that is a login page", point(), .judged(.unexpectedContentType)) {
            ($0.contentRange, $0.contentType) = ("bytes 400-999/1000", "text/html")
        },
        Row("a 200 to a range", point(), .restarted) { ($0.status, $0.contentLength) = (200, 1000) },
        Row("a 200 of a changed file", point(), .restarted) {
            ($0.status, $0.contentLength, $0.entityTag) = (200, 900, "\"v2\"")
        },
        Row("a 200 compressed in spite of identity", point(), .restarted) {
            ($0.status, $0.contentEncoding) = (200, "gzip")
        },
        Row("a 412", point(), .mustRestart) { $0.status = 412 },
        Row("a 416 of a file as long as the partial, version unsaid", point(1000), .mustRestart) {
            ($0.status, $0.contentRange, $0.entityTag) = (416, "bytes */1000", nil)
        },
        Row("a 416 of a file as long as the partial, version confirmed", point(1000), .complete) {
            ($0.status, $0.contentRange, $0.entityTag) = (416, "bytes */1000", "\"v1\"")
        },
        Row("a 416 of a file as long as the partial, another version", point(1000), .mustRestart) {
            ($0.status, $0.contentRange, $0.entityTag) = (416, "bytes */1000", "\"v2\"")
        },
        Row("a 416 of a smaller file", point(), .mustRestart) {
            ($0.status, $0.contentRange, $0.entityTag) = (416, "bytes */300", "\"v1\"")
        },
        Row("a 416 of a larger file", point(), .mustRestart) {
            ($0.status, $0.contentRange, $0.entityTag) = (416, "bytes */5000", "\"v1\"")
        },
        Row("a 416 that says nothing", point(), .mustRestart) { $0.status = 416 },
        Row("a 404", point(), .refused(.http(404))) { $0.status = 404 },
        Row("a 503", point(), .interrupted(.http(503))) { $0.status = 503 },
        Row("a redirect", point(), .redirect) { ($0.status, $0.location) = (302, "/b.jpg") },
    ]

    @Test("to a request for the rest", arguments: resumed)
    func rest(_ row: Row) throws {
        #expect(try Self.kind(row.head, resume: row.resume) == row.expected)
    }

    static let fresh: [Row] = [
        Row("a 200", nil, .fresh) { ($0.status, $0.contentLength) = (200, 1000) },
        Row("a 200 of unknown length", nil, .fresh) { $0.status = 200 },
        Row("a 200 without a type", nil, .fresh) { ($0.status, $0.contentType) = (200, nil) },
        Row("a 200 of bytes of any kind", nil, .fresh) {
            ($0.status, $0.contentType) = (200, "application/octet-stream")
        },
        Row("a 203", nil, .fresh) { $0.status = 203 },
        Row("a login page with 200", nil, .judged(.unexpectedContentType)) {
            ($0.status, $0.contentType) = (200, "text/html; charset=utf-8")
        },
        Row("a page that can't be decoded", nil, .refused(.unexpectedContentType)) {
            ($0.status, $0.contentType, $0.contentEncoding) = (200, "text/html", "br")
        },
        Row("a picture that can't be decoded", nil, .refused(.protocolError)) {
            ($0.status, $0.contentEncoding) = (200, "br")
        },
        Row("a page that is too large", nil, .refused(.unexpectedContentType)) {
            ($0.status, $0.contentType, $0.contentLength) = (200, "text/html", .max)
        },
        Row("a 206 that is the whole of a page", nil, .judged(.unexpectedContentType)) {
            ($0.contentRange, $0.contentType) = ("bytes 0-999/1000", "text/plain")
        },
        Row("a 206 that is the whole file", nil, .fresh) {
            ($0.contentRange, $0.contentLength) = ("bytes 0-999/1000", 1000)
        },
        Row("a 206 that is a part", nil, .refused(.protocolError)) { $0.contentRange = "bytes 0-99/1000" },
        Row("a 206 without Content-Range", nil, .refused(.protocolError)) { $0.contentLength = 100 },
        Row("a 201", nil, .refused(.http(201))) { $0.status = 201 },
        Row("a 204", nil, .refused(.http(204))) { $0.status = 204 },
        Row("a 205", nil, .refused(.http(205))) { $0.status = 205 },
        Row("a 304", nil, .refused(.http(304))) { $0.status = 304 },
        Row("a redirect without a target", nil, .refused(.refusedRedirect)) { $0.status = 301 },
        Row("a redirect to ftp", nil, .refused(.refusedRedirect)) {
            ($0.status, $0.location) = (301, "ftp://example.org/a.jpg")
        },
        Row("a redirect to a file", nil, .refused(.refusedRedirect)) {
            ($0.status, $0.location) = (302, "file:///etc/passwd")
        },
        Row("a 401", nil, .refused(.http(401))) { $0.status = 401 },
        Row("a 410", nil, .refused(.http(410))) { $0.status = 410 },
        Row("a 412", nil, .refused(.http(412))) { $0.status = 412 },
        Row("a 416", nil, .refused(.http(416))) { $0.status = 416 },
        Row("a 501", nil, .refused(.http(501))) { $0.status = 501 },
        Row("Cloudflare's task", nil, .refused(.challenge)) {
            ($0.status, $0.mitigation) = (403, "challenge")
        },
        Row("another of its doings", nil, .refused(.http(403))) {
            ($0.status, $0.mitigation) = (403, "block")
        },
        Row("AWS WAF's task", nil, .refused(.challenge)) { ($0.status, $0.mitigation) = (202, "Challenge") },
        Row("its captcha", nil, .refused(.challenge)) { ($0.status, $0.mitigation) = (405, "captcha") },
        Row("a refusal of Sucuri's or of Akamai's Bot Manager", nil, .refused(.challenge)) {
            ($0.status, $0.hasBotMark) = (403, true)
        },
        Row("a link of Akamai's that has expired", nil, .refused(.http(403))) {
            ($0.status, $0.server) = (403, "AkamaiGHost")
        },
        Row("a missing file behind the Bot Manager", nil, .refused(.http(404))) {
            ($0.status, $0.hasBotMark) = (404, true)
        },
        Row("a 403 behind Cloudflare", nil, .refused(.http(403))) {
            ($0.status, $0.server) = (403, "cloudflare")
        },
        Row("a 404 of Akamai", nil, .refused(.http(404))) { ($0.status, $0.server) = (404, "AkamaiGHost") },
        Row("an unknown 4xx", nil, .refused(.http(499))) { $0.status = 499 },
        Row("an unknown 6xx", nil, .refused(.http(600))) { $0.status = 600 },
    ]

    @Test("to a request for the whole file", arguments: fresh)
    func whole(_ row: Row) throws {
        #expect(try Self.kind(row.head, resume: nil) == row.expected)
    }

    @Test(
        "lets a job try again after a status that passes",
        arguments: [408, 425, 429, 500, 502, 503, 504] + Array(520...529)
    )
    func transient(status: Int) throws {
        #expect(try Self.kind(ResponseHead(status: status), resume: nil) == .interrupted(.http(status)))
    }

    struct Wait: Sendable, CustomTestStringConvertible {
        var status: Int
        var retryAfter: String?
        var remaining: String?
        var reset: String?
        var date: String?
        var expected: ResponseVerdict
        var testDescription: String { "\(status) \(retryAfter ?? "-") \(remaining ?? "-") \(reset ?? "-")" }

        init(
            _ status: Int,
            _ retryAfter: String? = nil,
            remaining: String? = nil,
            reset: String? = nil,
            date: String? = nil,
            _ expected: (JobFailure) -> ResponseVerdict
        ) {
            (self.status, self.retryAfter, self.remaining) = (status, retryAfter, remaining)
            (self.reset, self.date) = (reset, date)
            self.expected = expected(HTTPStatus.failure(status))
        }
    }

    static let waits = [
        Wait(429) { .busy($0, seconds: nil) },
        Wait(429, "15") { .busy($0, seconds: 15) },
        Wait(429, "86400") { .busy($0, seconds: 86_400) },
        Wait(429, "soon") { .busy($0, seconds: nil) },
        Wait(429, remaining: "0", reset: "40") { .busy($0, seconds: 40) },
        Wait(503) { .interrupted($0, retryAfter: nil) },
        Wait(503, "15") { .busy($0, seconds: 15) },
        Wait(503, "-5") { .interrupted($0, retryAfter: nil) },
        Wait(500, "86400") { .interrupted($0, retryAfter: 3600) },
        Wait(502, "0") { .interrupted($0, retryAfter: 1) },
        Wait(403) { .refused($0) },
        Wait(403, "60") { .refused($0) },
        Wait(403, remaining: "0") { .refused($0) },
        Wait(403, remaining: "1", reset: "60") { .refused($0) },
        Wait(403, remaining: "0", reset: "soon") { .refused($0) },
        Wait(403, remaining: "0", reset: "60") { .busy($0, seconds: 60) },
        Wait(403, "5", remaining: "0", reset: "60") { .busy($0, seconds: 5) },
        // As a time, which counts from the server's clock, or else from ours.
        Wait(403, remaining: "0", reset: "1000000060") { .busy($0, seconds: 60) },
        Wait(403, remaining: "0", reset: "1000000060", date: "Sun, 09 Sep 2001 01:46:50 GMT") {
            .busy($0, seconds: 50)
        },
        Wait(404, "15") { .refused($0) },
    ]

    @Test("says whether everybody is to wait, and for how long", arguments: waits)
    func busy(_ wait: Wait) throws {
        var head = ResponseHead(status: wait.status)
        (head.retryAfter, head.rateLimitRemaining) = (wait.retryAfter, wait.remaining)
        (head.rateLimitReset, head.date) = (wait.reset, wait.date)
        #expect(try Self.verdict(head, resume: nil) == wait.expected)
    }

    @Test("never asks for a restart where nothing was resumed: no loop", arguments: 200...599)
    func noLoop(status: Int) throws {
        for range in [nil, "bytes */1000", "bytes 0-9/1000"] {
            var head = ResponseHead(status: status)
            head.contentRange = range
            #expect(try Self.kind(head, resume: nil) != .mustRestart)
        }
    }

    @Test("keeps a strong tag, and nothing beside it")
    func keepsTag() throws {
        var head = ResponseHead(status: 200)
        (head.entityTag, head.lastModified, head.date) = ("\"v9\"", Self.modified, Self.later)
        guard case .accept(let start) = try Self.verdict(head, resume: nil) else {
            Issue.record("a 200 is accepted")
            return
        }
        #expect(start.validator == .entityTag("\"v9\""))
    }

    @Test("promises no length and no validator of a body that has to be decoded")
    func encoded() throws {
        var head = ResponseHead(status: 200)
        (head.contentEncoding, head.entityTag, head.contentLength) = ("gzip", "\"v9\"", 77)
        guard case .accept(var start) = try Self.verdict(head, resume: nil) else {
            Issue.record("a 200 is accepted")
            return
        }
        start.response = nil
        #expect(start == TransferStart(mode: .fresh, offset: 0, total: nil, validator: nil))
    }

    @Test(
        "keeps what the server said, and its date where that is one",
        arguments: [
            ("Sat, 01 Nov 2025 10:00:00 GMT", 1_761_991_200),
            ("Saturday, 01-Nov-25 10:00:00 GMT", 1_761_991_200),
            ("Sat Nov  1 10:00:00 2025", 1_761_991_200), ("2025-11-01T10:00:00Z", nil), ("", nil), (nil, nil),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sat, 01 Nov 0001 10:00:00 GMT", -62_109_295_200),
            (String(repeating: " ", count: 100) + "Sat, 01 Nov 2025 10:00:00 GMT", nil),
        ] as [(String?, Int64?)]
    )
    func keepsResponse(date: String?, seconds: Int64?) throws {
        var head = ResponseHead(status: 203)
        (head.contentType, head.entityTag, head.lastModified) = ("image/png", "W/\"v9\"", date)
        guard case .accept(let start) = try Self.verdict(head, resume: nil) else {
            Issue.record("a 203 is accepted")
            return
        }
        #expect(
            start.response
                == ServerResponse(
                    finalURL: "https://example.org/pictures/a.jpg",
                    status: 203,
                    contentType: "image/png",
                    lastModified: seconds.map { Timestamp(microseconds: $0 * 1_000_000) },
                    entityTag: "W/\"v9\"",
                    receivedAt: Timestamp(microseconds: 1_000_000_000_000_000)
                )
        )
    }

    @Test("refuses what is larger than any file can be, without any limit of one's own")
    func absurdlyLarge() throws {
        var head = ResponseHead(status: 200)
        head.contentLength = .max
        #expect(try Self.kind(head, resume: nil, policy: TransferPolicy()) == .refused(.tooLarge))
        head = ResponseHead(status: 206)
        head.contentRange = "bytes 0-9223372036854775806/9223372036854775807"
        #expect(try Self.kind(head, resume: nil, policy: TransferPolicy()) == .refused(.tooLarge))
    }

    @Test("refuses what is larger than allowed, whole or in part")
    func tooLarge() throws {
        let policy = TransferPolicy(maximumLength: 999)
        var head = ResponseHead(status: 200)
        head.contentLength = 1000
        #expect(try Self.kind(head, resume: nil, policy: policy) == .refused(.tooLarge))
        head = ResponseHead(status: 206)
        (head.contentRange, head.entityTag) = ("bytes 400-999/1000", "\"v1\"")
        #expect(try Self.kind(head, resume: Self.point(), policy: policy) == .refused(.tooLarge))
    }

    @Test("judges no body by its content where no picture would be taken")
    func noPictures() throws {
        var head = ResponseHead(status: 200)
        head.contentType = "text/html"
        for types in [["none"], ["application/pdf"]] {
            let policy = TransferPolicy(acceptedTypes: types)
            #expect(try Self.kind(head, resume: nil, policy: policy) == .refused(.unexpectedContentType))
        }
        head.contentType = nil
        let strict = TransferPolicy(acceptsUntyped: false)
        #expect(try Self.kind(head, resume: nil, policy: strict) == .judged(.unexpectedContentType))
    }

    @Test(
        "refuses what its server reserves from machine learning, if that is wanted, and keeps that it does so"
    )
    func reserved() throws {
        var head = ResponseHead(status: 200)
        head.contentType = "image/jpeg"
        head.add(robots: "noindex")
        head.add(robots: "noai, noimageai")
        guard case .accept(let start) = try Self.verdict(head, resume: nil) else {
            Issue.record("a 200 is accepted")
            return
        }
        #expect(start.response?.robots == "noindex, noai, noimageai")
        var policy = TransferPolicy()
        policy.respectsReservations = true
        #expect(try Self.kind(head, resume: nil, policy: policy) == .refused(.refusedByRobots))
        #expect(try Self.kind(ResponseHead(status: 200), resume: nil, policy: policy) == .fresh)
        var part = ResponseHead(status: 206)
        (part.contentRange, part.entityTag) = ("bytes 400-999/1000", "\"v1\"")
        part.add(robots: "NoAI")
        #expect(try Self.kind(part, resume: Self.point(), policy: policy) == .refused(.refusedByRobots))
    }

    @Test("resolves a relative redirect")
    func relativeRedirect() throws {
        var head = ResponseHead(status: 307)
        head.location = "../b.jpg?x=1"
        #expect(try Self.verdict(head, resume: nil) == .redirect(try JobURL("https://example.org/b.jpg?x=1")))
    }

    @Test("says what the server answered")
    func message() throws {
        guard case .refused(let failure) = try Self.verdict(ResponseHead(status: 404), resume: nil) else {
            Issue.record("a 404 is refused")
            return
        }
        #expect(failure == JobFailure(.http(404), "the server answered 404 Not Found"))
    }
}
