import Testing
import Vocabulary

@Suite("What may reach a terminal")
struct TerminalTextTests {
    @Test("what could steer it or hide text becomes an escape of JSON, and other text stays")
    func escapes() {
        #expect("añ 🙂".withoutSteering() == "añ 🙂")
        #expect("a\u{1B}[2J\u{202E}b\n".withoutSteering() == "a\\u001b[2J\\u202eb\\u000a")
        #expect("a\u{7}\n".withoutSteering(keeping: "\n") == "a\\u0007\n")
        // A format character beyond the basic plane is a surrogate pair in JSON.
        #expect("\u{E0001}".withoutSteering() == "\\udb40\\udc01")
    }
}
