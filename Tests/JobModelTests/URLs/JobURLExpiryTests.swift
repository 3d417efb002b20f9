import Testing
import Vocabulary

@testable import JobModel

@Suite("The times at which links expire")
struct JobURLExpiryTests {
    @Test(
        "are read from signed URLs",
        arguments: [
            (
                "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261126T214800Z&X-Amz-Expires=900&X-Amz-Signature=ab",
                "2026-11-26T22:03:00.000Z"
            ),
            ("x-amz-date=20261231T235959Z&x-amz-expires=1", "2027-01-01T00:00:00.000Z"),
            ("X-Goog-Date=20261126T214800Z&X-Goog-Expires=604800", "2026-12-03T21:48:00.000Z"),
            ("sv=2024-11-04&se=2026-11-26T21%3A48%3A00Z&sr=b&sig=abc%3D", "2026-11-26T21:48:00.000Z"),
            ("se=2026-11-26T21:48Z&sig=a", "2026-11-26T21:48:00.000Z"),
            ("se=2026-11-26&sig=a", "2026-11-26T00:00:00.000Z"),
            ("Expires=1795729680&Signature=x&Key-Pair-Id=K", "2026-11-26T21:48:00.000Z"),
            (
                "a=1&Expires=1795729680&X-Amz-Date=20261126T214700Z&X-Amz-Expires=1",
                "2026-11-26T21:47:01.000Z"
            ),
        ]
    )
    func read(query: String, time: String) throws {
        #expect(try JobURL("https://bucket.example/a.jpg?\(query)").expiry?.rfc3339 == time)
    }

    @Test(
        "are none where a URL says nothing that can be one",
        arguments: [
            "", "?", "?a=b", "?Expires=3600", "?Expires=99999999999999999999", "?Expires=-1", "?Expires=",
            "?X-Amz-Expires=900", "?X-Amz-Date=20261126T214800Z",
            "?X-Amz-Date=20261326T214800Z&X-Amz-Expires=9",
            "?X-Amz-Date=2026112&X-Amz-Expires=9", "?X-Amz-Date=20261126T214800Z&X-Amz-Expires=x",
            "?se=2026-11-26", "?se=SE&sig=a", "?se=%3&sig=a", "?se=%3A%3A&sig=a", "?se=2026-02-30&sig=a",
            "?X-Amz-Date=%C3%A920261126T2148&X-Amz-Expires=9", "#?Expires=1795729680",
        ]
    )
    func none(rest: String) throws {
        #expect(try JobURL("https://bucket.example/a.jpg\(rest)").expiry == nil)
    }
}
