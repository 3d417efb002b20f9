import Testing

@testable import SourceCore

@Suite struct SecretMaskTests {
    private let mask = SecretMask(["key": "a b/c+\"d", "longer": "xa b/c+\"dx", "tiny": "abc"])

    @Test(
        "A secret is found however it is written",
        arguments: [
            "a b/c+\"d", "a%20b%2Fc%2B%22d", "a+b%2Fc%2B%22d", "a b/c+\\\"d", "a b\\/c+\\\"d",
        ]
    )
    func spellings(_ text: String) { #expect(mask.masked("<\(text)>") == "<{key}>") }

    @Test("The longest secret goes first, and what is too short to be one stays")
    func lengths() {
        #expect(mask.masked("xa b/c+\"dx abc") == "{longer} abc")
        #expect(SecretMask().masked("text") == "text")
    }

    @Test("A secret whose end is missing is found by its first twelve characters")
    func beginnings() {
        let mask = SecretMask(["key": "0123456789abcdef"])
        #expect(mask.maskedExcerpt("is 0123456789abcd") == "is {key}")
        #expect(
            mask.maskedExcerpt("0123456789ab, 0123456789abcdef, 0123456789a.") == "{key}, {key}, 0123456789a."
        )
        #expect(mask.maskedExcerpt("0123456789abXY") == "{key}XY")
        let failure = SourceFailure(.unexpectedShape, "x 0123456789abc", excerpt: "<0123456789abcde")
        #expect(mask.masked(failure).message == "x {key}" && mask.masked(failure).excerpt == "<{key}")
        #expect(mask.maskedExcerpt("is 0123") == "is {key}" && mask.maskedExcerpt("is 012") == "is 012")
    }

    @Test("Of a file of keys each value is a secret")
    func file() {
        let file =
            "[default]\naws_access_key_id = AKID\naws_secret_access_key=se=cret\naws_session_token = to/ken\n"
        let mask = SecretMask(["aws": file])
        #expect(mask.masked("AKID se=cret to%2Fken default") == "{aws} {aws} {aws} default")
    }

    @Test("An item's URL is stored without secrets, and gets them back")
    func items() throws {
        let variables = Variables(["a": "x"], secret: ["key": "s&cr/t!", "path": "p th"])
        let stored = variables.unfilled("http://h/p%20th/1.jpg?k=s%26cr%2Ft%21&b={a}")
        #expect(stored == "http://h/{path}/1.jpg?k={key}&b=%7Ba%7D")
        let encoded = stored.replacing("{", with: "%7B").replacing("}", with: "%7D")
        #expect(variables.refilledItem(encoded) == "http://h/p%20th/1.jpg?k=s%26cr%2Ft%21&b=%7Ba%7D")
    }
}
