import Foundation
import HTTPRequests
import TestSupport
import Testing

@Suite struct BucketSignerTests {
    /// The SHA-256 of nothing.
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test(
        "The examples of S3's documentation have the signatures that it gives",
        arguments: [
            ("?lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            ("?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ]
    )
    func documented(_ query: String, _ signature: String) {
        let signer = BucketSigner(
            region: "us-east-1",
            keyID: "AKIAIOSFODNN7EXAMPLE",
            key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        )
        let fields = signer.fields(
            signing: "GET",
            "https://examplebucket.s3.amazonaws.com/\(query)",
            with: [("x-amz-content-sha256", Self.nothing), ("Range", "bytes=0-9")],
            at: 1_369_353_600
        )
        #expect(fields.map(\.name) == ["Host", "x-amz-date", "Authorization"])
        #expect(fields[0].value == "examplebucket.s3.amazonaws.com")
        #expect(fields[1].value == "20130524T000000Z")
        #expect(
            fields[2].value
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=\(signature)"
        )
    }

    @Test(
        "A strict server takes what is signed, whatever the key's name is, and nothing that was changed since",
        arguments: [
            "plain.jpg", "a b+c=(1).jpg", "é/ü//ß.jpg", "../../up", "a/./b/../c", "100%25", "~*'!@:,;$&?#[]",
            "%",
            "日本/\u{1F600}.jpg", "?", "tab\tand\nline",
        ]
    )
    func strict(_ key: String) throws {
        let keys = SignatureKeys(id: "AKID", secret: "s3cr/et+", token: "to/ken+==")
        let signer = BucketSigner(region: "garage", keyID: keys.id, key: keys.secret)
        let path = "/photos/" + SignatureCheck.encoded(key, keeping: "/")
        let fields: [BucketSigner.Field] = [
            ("x-amz-content-sha256", "UNSIGNED-PAYLOAD"), ("x-amz-security-token", "to/ken+=="),
            ("X-Amz-Meta-Note", "  two   blanks "), ("Accept", "image/*"),
        ]
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let added = signer.fields(
            signing: "PUT",
            "http://h:9000\(path)?partNumber=1&uploadId=a%2Fb",
            with: fields,
            at: Int64(now.timeIntervalSince1970)
        )
        let sent = Dictionary((fields + added).map { ($0.name.lowercased(), $0.value) }) { $1 }
        func problem(
            _ method: String = "PUT",
            query: String = "partNumber=1&uploadId=a%2Fb",
            headers: [String: String] = [:]
        ) -> String? {
            let request = OriginRequest(
                method: method,
                target: "\(path)?\(query)",
                path: path,
                headers: sent.merging(headers) { $1 }
            )
            return SignatureCheck(request: request, keys: keys, region: "garage").problem(now: now)?.code
        }
        #expect(sent["host"] == "h:9000")
        #expect(problem() == nil)
        #expect(problem("GET") == "SignatureDoesNotMatch")
        #expect(problem(query: "partNumber=2&uploadId=a%2Fb") == "SignatureDoesNotMatch")
        #expect(problem(headers: ["x-amz-content-sha256": Self.nothing]) == "SignatureDoesNotMatch")
        #expect(problem(headers: ["x-amz-meta-note": "another"]) == "SignatureDoesNotMatch")
        #expect(problem(headers: ["accept": "text/html"]) == nil)
    }

    @Test(
        "The host is signed as it is sent: without credentials and the scheme's own port",
        arguments: [
            ("https://u:p@Photos.Example:443/a", "photos.example"),
            ("http://photos.example:80", "photos.example"),
            ("http://photos.example:443/", "photos.example:443"),
            ("https://[2001:DB8::1]:9000/a", "[2001:db8::1]:9000"),
            ("http://h?list-type=2", "h"), ("http://h/a@b:80", "h"),
        ]
    )
    func host(_ url: String, _ expected: String) {
        let signer = BucketSigner(region: "r", keyID: "k", key: "s")
        #expect(signer.fields(signing: "GET", url, with: [], at: 0).first?.value == expected)
    }
}
