import Digests
import Glibc
import Vocabulary

/// Signs requests to a bucket's server with AWS Signature Version 4.
///
/// The steps and their names are those of
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. libcurl can sign, too,
/// but since 8.14 not together with a path that is sent as it is, without which a key such as `a/../b`
/// would be another object's.
public struct BucketSigner: Sendable {
    /// A field of a request's head.
    public typealias Field = (name: String, value: String)

    private let region: String
    private let keyID: String
    private let key: String

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - region: The region of the server, such as `eu-central-1`.
    ///   - keyID: The public name of the key.
    ///   - key: The key, which is a secret.
    public init(region: String, keyID: String, key: String) {
        (self.region, self.keyID, self.key) = (region, keyID, key)
    }

    /// Returns the fields that a request is to be sent with, besides those given: `Host`, `x-amz-date` and
    /// `Authorization`.
    ///
    /// Of the given fields those that begin with `x-amz-` are signed, and one of them has to be
    /// `x-amz-content-sha256`. Proxies may change the others.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - url: The absolute URL as it is sent: its path strictly percent-encoded, and its query sorted.
    ///   - fields: The other fields of the request.
    ///   - time: The moment of the request, in seconds since 1970.
    public func fields(signing method: String, _ url: String, with fields: [Field], at time: Int64) -> [Field]
    {
        let target = SignedTarget(url)
        let moment = Self.timestamp(time)
        let added = [("Host", target.host), ("x-amz-date", moment)]
        let signed = (fields + added).map { (name: $0.name.lowercased(), value: Self.folded($0.value)) }
            .filter { $0.name == "host" || $0.name.hasPrefix("x-amz-") }
            .sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let request = [
            method, target.path, target.query,
            signed.map { "\($0.name):\($0.value)\n" }.joined(),
            names,
            signed.first { $0.name == "x-amz-content-sha256" }?.value ?? "",
        ].joined(separator: "\n")
        let scope = [String(moment.prefix(8)), region, "s3", "aws4_request"]
        let text = [
            "AWS4-HMAC-SHA256", moment, scope.joined(separator: "/"),
            SHA256.hash(data: Array(request.utf8)).hexText,
        ].joined(separator: "\n")
        let credential = "\(keyID)/\(scope.joined(separator: "/"))"
        let signature = code(of: text, within: scope).hexText
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credential), SignedHeaders=\(names), Signature=\(signature)"
        return added + [("Authorization", authorization)]
    }

    /// The code of a text under the key that is derived for a scope.
    private func code(of text: String, within scope: [String]) -> [UInt8] {
        var key = Array("AWS4\(key)".utf8)
        for step in scope { key = HMAC.code(of: Array(step.utf8), key: key) }
        return HMAC.code(of: Array(text.utf8), key: key)
    }

    /// A moment as ISO 8601 has it, in UTC and without separators.
    private static func timestamp(_ time: Int64) -> String {
        var seconds = time_t(time)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let text = [
            (Int(parts.tm_year) + 1900, 4), (Int(parts.tm_mon) + 1, 2), (Int(parts.tm_mday), 2),
            (Int(parts.tm_hour), 2), (Int(parts.tm_min), 2), (Int(parts.tm_sec), 2),
        ].map { value, width in
            let digits = String(value)
            return String(repeating: "0", count: max(width - digits.count, 0)) + digits
        }
        return text[..<3].joined() + "T" + text[3...].joined() + "Z"
    }

    /// A field's value without blanks around it, and with one in place of several inside.
    private static func folded(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}

/// The parts of a URL that are signed, as they stand in it.
struct SignedTarget: Hashable, Sendable {
    /// The value of the field `Host`: without user and password, and without the scheme's own port (RFC 9110
    /// §7.2).
    let host: String
    /// The path, `/` where the URL has none.
    let path: String
    /// The query without its `?`; empty if the URL has none.
    let query: String

    /// Takes apart an absolute URL with http or https as its scheme (RFC 3986 §3).
    init(_ url: String) {
        let parts = URLParts(url)
        let authority = URLAuthority(parts.authority ?? "")
        let ownPort = parts.httpScheme == "https" ? "443" : "80"
        let port = authority.port.flatMap { $0.isEmpty || $0 == ownPort ? nil : ":\($0)" } ?? ""
        host = authority.host.lowercased() + port
        path = parts.path.isEmpty ? "/" : String(parts.path)
        query = parts.query.map(String.init) ?? ""
    }
}
