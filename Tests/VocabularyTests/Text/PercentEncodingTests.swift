import Testing
import Vocabulary

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test("all but unreserved characters is encoded in upper case, and what is to stay stays")
    func encoding() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a b/ü%\u{1}") == "a%20b%2F%C3%BC%25%01")
        #expect(PercentEncoding.encode("a b/c", keeping: "/") == "a%20b/c")
    }

    @Test("what encodes nothing stays as it is")
    func decoding() {
        #expect(PercentEncoding.decode("a%20b%2f%C3%BC") == "a b/ü")
        #expect(PercentEncoding.decode("100%") == "100%")
        #expect(PercentEncoding.decode("%4") == "%4")
        #expect(PercentEncoding.decode("%zz%+1") == "%zz%+1")
        #expect(PercentEncoding.decode("a+b", isForm: true) == "a b")
    }

    @Test("the beginning of a text that is encoded already is known")
    func beginnings() {
        #expect(PercentEncoding.begins("%2F".utf8) && PercentEncoding.begins("%2fx".utf8))
        #expect(!PercentEncoding.begins("%2".utf8) && !PercentEncoding.begins("%2G".utf8))
        #expect(!PercentEncoding.begins("2F%".utf8) && !PercentEncoding.begins("".utf8))
    }

    @Test("bytes that aren't UTF-8 are encoded as they are")
    func bytes() {
        #expect(PercentEncoding.text(ofURL: Array("http://h/ü".utf8)) == "http://h/ü")
        #expect(PercentEncoding.text(ofURL: [0x61, 0x2F, 0xFC]) == "a/%FC")
    }
}
