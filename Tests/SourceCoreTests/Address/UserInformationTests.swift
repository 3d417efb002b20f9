import Testing

@testable import SourceCore

@Suite("Users and passwords in URLs")
struct UserInformationTests {
    @Test(
        "A password isn't shown, nor a user's name that may be a token",
        arguments: [
            ("http://ann:sekrit@h/a?b=c", "http://ann:***@h/a?b=c"),
            ("https://TOKEN@h:8080", "https://***@h:8080"),
            ("http://:sekrit@h/", "http://:***@h/"),
            ("http://TOKEN:@h/", "http://***@h/"),
            ("http://a:b@c@h/", "http://a:***@h/"),
            ("http://ann:se krit@h/", "http://ann:***@h/"),
            ("http://{user}:{word}@h/{page}", "http://{user}:***@h/{page}"),
            ("http://h/a@b", "http://h/a@b"), ("http://h?u=a@b", "http://h?u=a@b"),
            ("http://@h/", "http://@h/"),
            ("http://h/?from=http://ann:sekrit@i/", "http://h/?from=http://ann:***@i/"),
            ("s3://bucket/a@b", "s3://bucket/a@b"), ("", ""), ("://", "://"),
        ]
    )
    func url(_ url: String, shown: String) {
        #expect(UserInformation.masked(url: url) == shown)
        #expect(UserInformation.masked(url: shown) == shown)
    }

    @Test("In a text only what is in a URL counts")
    func text() {
        let text = "see http://h \"ann@h\" and \"http://ann:sekrit@h/\" or <http://b:{word}@h> é@"
        #expect(
            UserInformation.masked(in: text)
                == "see http://h \"ann@h\" and \"http://ann:***@h/\" or <http://b:***@h> é@"
        )
        #expect(UserInformation.all(in: text) == ["ann:sekrit", "b:{word}"])
    }
}
