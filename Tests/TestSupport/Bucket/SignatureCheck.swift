import Digests
import Foundation

/// An access key of a bucket's server.
public struct SignatureKeys: Sendable {
    /// The key's id, the key, and the session's token where there is one.
    public let id, secret: String
    public let token: String?

    /// A key.
    public init(id: String, secret: String, token: String? = nil) {
        (self.id, self.secret, self.token) = (id, secret, token)
    }

    /// As ~/.aws/credentials has it.
    public var file: String {
        "[default]\naws_access_key_id = \(id)\naws_secret_access_key = \(secret)\n"
            + (token.map { "aws_session_token = \($0)\n" } ?? "")
    }
}

/// The reason why a request is refused, in the words of S3.
public struct SignatureProblem: Sendable {
    let status: Int
    /// The error's code.
    public let code: String
    let detail: String

    init(_ status: Int, _ code: String, _ detail: String) {
        (self.status, self.code, self.detail) = (status, code, detail)
    }
}

/// Checks a request's signature of version 4 as S3 does: path and query are decoded once and encoded once,
/// so that what wasn't written canonically has another signature.
///
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
public struct SignatureCheck {
    let request: OriginRequest
    let keys: SignatureKeys
    let region: String

    /// The check of a request.
    public init(request: OriginRequest, keys: SignatureKeys, region: String) {
        (self.request, self.keys, self.region) = (request, keys, region)
    }

    /// Returns the problem with the request at a moment; nil if there is none.
    public func problem(now: Date) -> SignatureProblem? {
        guard let field = request.header("authorization") else {
            return .init(403, "AccessDenied", "no signature")
        }
        guard field.hasPrefix("AWS4-HMAC-SHA256 ") else { return .init(400, "InvalidArgument", field) }
        var parts: [String: String] = [:]
        for part in field.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",") {
            let halves = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if halves.count == 2 { parts[String(halves[0])] = String(halves[1]) }
        }
        let scope = (parts["Credential"] ?? "").split(separator: "/").map(String.init)
        let signed = (parts["SignedHeaders"] ?? "").split(separator: ";").map(String.init)
        guard scope.count == 5, let date = request.header("x-amz-date"), scope[1] == date.prefix(8),
            scope[3] == "s3", scope[4] == "aws4_request"
        else { return .init(400, "AuthorizationHeaderMalformed", field) }
        guard scope[0] == keys.id else { return .init(403, "InvalidAccessKeyId", scope[0]) }
        guard scope[2] == region else { return .init(400, "AuthorizationHeaderMalformed", scope[2]) }
        guard Self.isNear(date, now) else { return .init(403, "RequestTimeTooSkewed", date) }
        guard request.header("x-amz-security-token") == keys.token else {
            return .init(400, "InvalidToken", "the session's token")
        }
        let amazon = request.headers.keys.filter { $0.hasPrefix("x-amz-") }
        for name in ["host", "x-amz-date", "x-amz-content-sha256"] + amazon where !signed.contains(name) {
            return .init(403, "AccessDenied", "\(name) isn't signed")
        }
        guard signed == signed.sorted() else { return .init(403, "SignatureDoesNotMatch", "the order") }
        let canonical = canonicalRequest(signed)
        guard parts["Signature"] == signature(of: canonical, date: date, scope: scope) else {
            return .init(403, "SignatureDoesNotMatch", canonical)
        }
        return nil
    }

    private func canonicalRequest(_ signed: [String]) -> String {
        let mark = request.target.firstIndex(of: "?") ?? request.target.endIndex
        let path = Self.encoded(Self.decoded(String(request.target[..<mark])), keeping: "/")
        let query = request.target[mark...].dropFirst().split(separator: "&").map { part -> [String] in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return [halves[0], halves.count > 1 ? halves[1] : ""].map {
                Self.encoded(Self.decoded(String($0)))
            }
        }
        let sorted = query.sorted { $0.lexicographicallyPrecedes($1) }.map { $0.joined(separator: "=") }
        let fields = signed.map { name in
            let words = (request.header(name) ?? "").split(separator: " ")
            return "\(name):\(words.joined(separator: " "))\n"
        }
        return [
            request.method, path, sorted.joined(separator: "&"), fields.joined(),
            signed.joined(separator: ";"), request.header("x-amz-content-sha256") ?? "",
        ].joined(separator: "\n")
    }

    private func signature(of canonical: String, date: String, scope: [String]) -> String {
        let text = [
            "AWS4-HMAC-SHA256", date, scope.dropFirst().joined(separator: "/"),
            Self.hex(SHA256.hash(data: Data(canonical.utf8))),
        ].joined(separator: "\n")
        var key = Array("AWS4\(keys.secret)".utf8)
        for step in scope.dropFirst() + [text] { key = HMAC.code(of: Array(step.utf8), key: key) }
        return Self.hex(key)
    }

    /// Within a quarter of an hour, as S3 has it.
    private static func isNear(_ date: String, _ now: Date) -> Bool {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return format.date(from: date).map { abs($0.timeIntervalSince(now)) < 900 } ?? false
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A text with all but RFC 3986's unreserved characters encoded.
    public static func encoded(_ text: String, keeping kept: String = "") -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII,
                character.isLetter || character.isNumber || "-._~\(kept)".contains(character)
            {
                result.append(character)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// A text with every %XX decoded once, and nothing else.
    public static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
