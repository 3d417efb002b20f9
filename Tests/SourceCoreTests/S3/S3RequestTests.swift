import Testing

@testable import SourceCore

@Suite struct S3RequestTests {
    private func endpoint(
        _ url: String? = nil,
        _ style: S3Settings.Style = .auto,
        region: String = "eu-central-1"
    ) -> S3Endpoint {
        var settings = S3Settings()
        settings.endpoint = url.map(URLReference.init)
        settings.style = style
        settings.region = region
        return S3Endpoint(settings)
    }

    @Test(
        "A bucket's URL is in the path's or the host's style",
        arguments: [
            (nil, .auto, "photos", "https://photos.s3.eu-central-1.amazonaws.com/"),
            (nil, .auto, "my.photos", "https://s3.eu-central-1.amazonaws.com/my.photos/"),
            (nil, .path, "photos", "https://s3.eu-central-1.amazonaws.com/photos/"),
            ("http://127.0.0.1:9000", .auto, "photos", "http://127.0.0.1:9000/photos/"),
            ("http://minio.example:9000/s3/", .auto, "photos", "http://minio.example:9000/s3/photos/"),
            ("http://minio.example:9000", .host, "photos", "http://photos.minio.example:9000/"),
            (
                "https://s3.us-west-2.amazonaws.com", .auto, "photos",
                "https://photos.s3.us-west-2.amazonaws.com/"
            ),
        ] as [(String?, S3Settings.Style, String, String)]
    )
    func style(_ url: String?, _ style: S3Settings.Style, _ bucket: String, _ expected: String) {
        #expect(endpoint(url, style).bucketURL(bucket).text == expected)
    }

    @Test("A listing's parameters are sorted and strictly encoded, and every one has a value")
    func listing() throws {
        let location = try #require(S3Location("s3://photos/a%20b/%C3%A9"))
        #expect((location.bucket, location.prefix) == ("photos", "a b/é"))
        let first = S3Request.list(
            location,
            at: nil,
            endpoint: endpoint("http://h:1"),
            signs: true,
            sessionToken: "t/+="
        )
        #expect(first.url == "http://h:1/photos/?encoding-type=url&list-type=2&prefix=a%20b%2F%C3%A9")
        #expect(first.region == "eu-central-1")
        #expect(
            first.headers.map { "\($0.name): \($0.value)" }
                == ["x-amz-content-sha256: UNSIGNED-PAYLOAD", "x-amz-security-token: t/+="]
        )
        let next = S3Request.list(
            location,
            at: .token("1/+=="),
            endpoint: endpoint("http://h:1"),
            signs: false
        )
        #expect(
            next.url
                == "http://h:1/photos/?continuation-token=1%2F%2B%3D%3D&encoding-type=url&list-type=2&prefix=a%20b%2F%C3%A9"
        )
        #expect(next.region == nil)
        #expect(next.headers.isEmpty)
        let marker = S3Request.list(
            location,
            at: .marker("z"),
            endpoint: endpoint("http://h:1"),
            signs: false
        )
        #expect(marker.url == "http://h:1/photos/?encoding-type=url&marker=z&prefix=a%20b%2F%C3%A9")
    }

    @Test(
        "An object's key is encoded byte for byte, slashes stay, and dots are part of the key",
        arguments: [
            ("a b.jpg", "a%20b.jpg"), ("x+y=z(1).jpg", "x%2By%3Dz%281%29.jpg"),
            ("é//ü.jpg", "%C3%A9//%C3%BC.jpg"),
            ("../../up.jpg", "../../up.jpg"), ("a%20b", "a%2520b"), ("~*'!", "~%2A%27%21"),
            ("/lead", "/lead"),
        ]
    )
    func object(_ key: String, _ path: String) {
        let request = S3Request.object(
            bucket: "photos",
            key: key,
            endpoint: endpoint("http://h:1"),
            signs: true
        )
        #expect(request.url == "http://h:1/photos/" + path)
        #expect(S3Location(S3Location.objectURL(bucket: "photos", key: key))?.prefix == key)
    }

    @Test("An empty session token is no header field: libcurl signs those wrongly")
    func emptyToken() {
        let request = S3Request.object(
            bucket: "photos",
            key: "k",
            endpoint: endpoint(),
            signs: true,
            sessionToken: ""
        )
        #expect(request.headers.count == 1)
    }

    @Test(
        "What is no place in a bucket is refused",
        arguments: [
            "s3://", "s3://ab/", "https://b/", "s3://b?x", "s3://a b c/", "s3://u@bucket/", "s3://-/",
        ]
    )
    func location(_ url: String) { #expect(S3Location(url) == nil) }

    @Test(
        "The next page of a listing",
        arguments: [
            (true, "t", nil, false, "k", .token("t")), (false, "t", nil, false, "k", nil),
            (true, nil, nil, false, "k", .after("k")),
            (true, "", nil, false, "k", .after("k")), (true, nil, "m", true, "k", .marker("m")),
            (true, nil, nil, true, "k", .marker("k")),
            (true, nil, nil, false, nil, nil),
        ] as [(Bool, String?, String?, Bool, String?, S3Position?)]
    )
    func next(
        _ truncated: Bool,
        _ token: String?,
        _ marker: String?,
        _ isFirst: Bool,
        _ last: String?,
        _ next: S3Position?
    ) {
        var listing = S3Listing()
        listing.isTruncated = truncated
        listing.nextToken = token
        listing.nextMarker = marker
        listing.isFirstVersion = isFirst
        listing.lastKey = last
        #expect(listing.next == next)
    }

    @Test("A wrong region is corrected once, by what the server names")
    func region() {
        let error = S3Error(status: 301, code: "PermanentRedirect", region: "eu-west-1")
        #expect(error.correction(asked: "us-east-1") == "eu-west-1")
        #expect(error.correction(asked: "eu-west-1") == nil)
        #expect(
            S3Error(status: 400, code: "AuthorizationHeaderMalformed", region: "garage").correction(
                asked: "us-east-1"
            ) == "garage"
        )
        #expect(S3Error(status: 301, region: "../x").correction(asked: "us-east-1") == nil)
        #expect(S3Error(status: 500, region: "x").correction(asked: "y") == nil)
    }

    @Test(
        "Errors of a bucket's server name their code and say what to do",
        arguments: [
            (S3Error(status: 403, code: "AccessDenied"), SourceFailure.Code.unauthorized),
            (.init(status: 400, code: "ExpiredToken"), .unauthorized),
            (.init(status: 400, code: "InvalidToken"), .unauthorized),
            (.init(status: 403, code: "RequestTimeTooSkewed", clockDifference: -901), .unauthorized),
            (.init(status: 403, code: "SignatureDoesNotMatch"), .unauthorized),
            (.init(status: 503, code: "SlowDown"), .unexpectedStatus),
            (.init(status: 404, code: "NoSuchBucket"), .unexpectedStatus),
            (.init(status: 418, code: "Teapot"), .unexpectedStatus),
        ]
    )
    func errors(_ error: S3Error, _ code: SourceFailure.Code) {
        let failure = error.failure(region: "us-east-1")
        #expect(failure.code == code)
        #expect(failure.message.contains(error.code ?? ""))
    }

    @Test("A signed request follows redirects on its own server only")
    func redirects() {
        #expect(endpoint().mayFollow(to: URLReference("https://b.s3.eu-west-1.amazonaws.com/")))
        #expect(!endpoint().mayFollow(to: URLReference("http://b.s3.eu-west-1.amazonaws.com/")))
        #expect(!endpoint().mayFollow(to: URLReference("https://amazonaws.com.evil.example/")))
        #expect(endpoint("http://h:1").mayFollow(to: URLReference("http://h:1/x")))
        #expect(!endpoint("http://h:1").mayFollow(to: URLReference("http://h:2/x")))
    }
}
