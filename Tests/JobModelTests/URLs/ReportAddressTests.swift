import JobModel
import Testing

@Suite("A receiver's address")
struct ReportAddressTests {
    @Test(
        "is a scheme, a key, a host, perhaps a path, and a project",
        arguments: [
            ("https://k3y@sentry.io/42", "https://sentry.io/api/42/envelope/"),
            ("HTTP://k3y@127.0.0.1:8000/1", "http://127.0.0.1:8000/api/1/envelope/"),
            ("https://k3y:s3cret@h/a/b-c/7", "https://h/a/b-c/api/7/envelope/"),
            ("https://k3y@[::1]:9000/5", "https://[::1]:9000/api/5/envelope/"),
            ("https://k3y@[2001:db8::1]/5", "https://[2001:db8::1]/api/5/envelope/"),
        ]
    )
    func good(text: String, url: String) throws {
        let address = try #require(ReportAddress(text))
        #expect(address.url == url)
        #expect(
            address.authorization(client: "facefetch/1")
                == "X-Sentry-Auth: Sentry sentry_version=7, sentry_client=facefetch/1, sentry_key=k3y"
        )
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "https://", "https://h/1", "https://@h/1", "https://k@/1", "https://k@h", "https://k@h/",
            "ftp://k@h/1", "k@h/1", "https://k@h/1?x=1", "https://k@h/1#x", "https://k@h/../1",
            "https://k@h//1",
            "https://k@h/a b/1", "https://k@h:0/1", "https://k@h:99999/1", "https://k@h:/1",
            "https://k@[::1/1",
            "https://k@[]/1", "https://k@[::1]x/1", "https://a:b:c@h/1", "https://k\r\nX: y@h/1",
            "https://k@h@i/1",
            "https://k@h/1\n", "https://ké@h/1", "https://k@h/" + String(repeating: "1", count: 1000),
        ]
    )
    func bad(text: String) { #expect(ReportAddress(text) == nil) }
}
