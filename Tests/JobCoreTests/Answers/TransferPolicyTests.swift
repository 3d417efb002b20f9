import JobModel
import Testing
import Vocabulary

@testable import JobCore

@Suite("The transfer policy")
struct TransferPolicyTests {
    @Test(
        "takes pictures, unknown bytes and what has no type",
        arguments: [
            nil, "", "image/jpeg", "IMAGE/PNG", "image/svg+xml; charset=utf-8", "application/octet-stream",
            "binary/octet-stream",
        ]
    )
    func accepted(_ type: String?) { #expect(TransferPolicy().accepts(contentType: type)) }

    @Test(
        "takes no pages",
        arguments: ["text/html", "application/json", "image", "imagery/jpeg", "video/mp4"]
    )
    func unaccepted(_ type: String) { #expect(!TransferPolicy().accepts(contentType: type)) }

    @Test("takes every type where none is named, and with */*")
    func everything() {
        #expect(TransferPolicy(acceptedTypes: []).accepts(contentType: "text/html"))
        #expect(TransferPolicy(acceptedTypes: ["*/*"]).accepts(contentType: "text/html"))
    }

    @Test(
        "asks for the types that it takes, and then for anything",
        arguments: [
            (TransferPolicy.defaultAcceptedTypes, "image/*, */*;q=0.8"), ([], "*/*"), (["*/*"], "*/*"),
            (["none"], "*/*"), (["image/PNG", "application/pdf"], "image/png, application/pdf, */*;q=0.8"),
        ]
    )
    func accept(_ types: [String], _ field: String) {
        #expect(TransferPolicy(acceptedTypes: types).acceptField == field)
    }

    @Test("takes a body without a type only where that is wanted")
    func untyped() {
        #expect(TransferPolicy().accepts(contentType: nil))
        let strict = TransferPolicy(acceptsUntyped: false)
        #expect(!strict.accepts(contentType: nil) && !strict.accepts(contentType: " "))
        #expect(strict.accepts(contentType: "image/png"))
    }

    @Test(
        "takes a picture by its first bytes, if its own type is one of those taken",
        arguments: [
            (TransferPolicy.defaultAcceptedTypes, true, true), ([], true, true), (["image/png"], false, true),
            (["image/jpeg", "text/html"], true, false), (["none"], false, false),
            (["application/pdf"], false, false),
        ]
    )
    func content(_ types: [String], _ takesJPEG: Bool, _ takesPNG: Bool) {
        let policy = TransferPolicy(acceptedTypes: types)
        #expect(policy.accepts(firstBytes: [0xFF, 0xD8, 0xFF, 0xE0] as [UInt8]) == takesJPEG)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(policy.accepts(firstBytes: png) == takesPNG)
        #expect(
            !policy.accepts(firstBytes: Array("<html>".utf8)) && !policy.accepts(firstBytes: [] as [UInt8])
        )
    }

    @Test("allows, refuses or upgrades plain http")
    func plainHTTP() throws {
        let (plain, secure) = (try JobURL("http://example.org/a"), try JobURL("https://example.org/a"))
        #expect(try TransferPolicy(plainHTTP: .allow).permitted(plain) == plain)
        #expect(try TransferPolicy(plainHTTP: .upgrade).permitted(plain) == secure)
        #expect(try TransferPolicy(plainHTTP: .refuse).permitted(secure) == secure)
        let failure = #expect(throws: JobFailure.self) {
            try TransferPolicy(plainHTTP: .refuse).permitted(plain)
        }
        #expect(failure?.code == .refusedScheme)
    }

    @Test("upgrades port 80 to https's own, and keeps any other")
    func upgradedPorts() throws {
        let policy = TransferPolicy(plainHTTP: .upgrade)
        #expect(try policy.permitted(JobURL("http://example.org:80/a:80")).text == "https://example.org/a:80")
        #expect(try policy.permitted(JobURL("http://example.org:80?q")).port == 443)
        #expect(try policy.permitted(JobURL("http://[::1]:8080/a")).text == "https://[::1]:8080/a")
    }
}

@Suite("A request header")
struct RequestHeaderTests {
    @Test("keeps its value out of what is printed")
    func printed() throws {
        let header = try RequestHeader(name: "Authorization", value: "Bearer secret")
        #expect(!"\(header)".contains("secret"))
    }

    @Test("can't hold a line break or break the grammar")
    func injection() {
        #expect(throws: RequestHeader.Refusal.badValue) {
            try RequestHeader(name: "X", value: "a\r\nHost: b")
        }
        #expect(throws: RequestHeader.Refusal.badName) { try RequestHeader(name: "X Y", value: "a") }
        #expect(throws: RequestHeader.Refusal.badName) { try RequestHeader(name: "", value: "a") }
    }

    @Test("has no white space around its value, and some inside")
    func trimmed() throws {
        #expect(try RequestHeader(name: "X", value: " \t a b \u{E9} ").value == "a b \u{E9}")
        #expect(try RequestHeader(name: "X", value: " \t ").value == "")
    }

    @Test("has a limit on its length")
    func length() throws {
        let longest = String(repeating: "v", count: RequestHeader.maximumLength - 1)
        #expect(try RequestHeader(name: "X", value: longest).value == longest)
        #expect(throws: RequestHeader.Refusal.tooLong) { try RequestHeader(name: "X", value: longest + "v") }
    }

    @Test(
        "can't be one that decides what is asked for, or what becomes of the connection",
        arguments: [
            "Range", "IF-RANGE", "host", "Content-Length", "Connection", "TE", "Upgrade",
            "Proxy-Authorization",
        ]
    )
    func reserved(_ name: String) {
        #expect(throws: RequestHeader.Refusal.reserved(name)) { try RequestHeader(name: name, value: "a") }
    }
}
