import Testing

@testable import CurlTransfer

@Suite("Reading a response's head")
struct HeadReaderTests {
    /// What the last line came to.
    private func progress(_ lines: [String]) -> HeadReader.Progress {
        var reader = HeadReader()
        var last = HeadReader.Progress.more
        for line in lines { last = Array((line + "\r\n").utf8).withUnsafeBytes { reader.take($0) } }
        return last
    }

    @Test(
        "a length is digits and nothing else",
        arguments: ["+5", "-5", "", "5 5", "5,5", "0x5", "9223372036854775808"]
    )
    func lengths(text: String) {
        #expect(
            progress(["HTTP/1.1 200 OK", "Content-Length: \(text)"])
                == .malformed("its Content-Length is not a number")
        )
    }

    @Test("leading zeros and spaces around it are none of its value")
    func zeros() {
        #expect(progress(["HTTP/1.1 200 OK", "Content-Length: \t005 ", "content-length:5", ""]) == .complete)
    }
}
