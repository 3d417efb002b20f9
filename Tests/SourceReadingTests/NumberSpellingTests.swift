import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// The spelling of numbers in keys.
@Suite struct NumberSpellingTests {
    /// Numbers as pages have them, and how libjq 1.6 has always written them.
    static let numbers = [
        ("1", "1"), ("1.0", "1"), ("1E+3", "1000"), ("1000", "1000"), ("1.50", "1.5"), ("0.1", "0.1"),
        ("-0.25", "-0.25"),
        ("1e15", "1000000000000000"), ("1e16", "1e+16"), ("1e17", "1e+17"), ("1e-5", "1e-05"),
        ("0.00001", "1e-05"),
        ("0.0001", "0.0001"), ("1.5e-7", "1.5e-07"), ("1.25e20", "1.25e+20"),
        ("1e400", "1.7976931348623157e+308"),
        ("5e-324", "5e-324"), ("0.30000000000000004", "0.30000000000000004"),
        ("0.3333333333333333", "0.3333333333333333"),
        ("0.0", "0"), ("100.00", "100"), ("123456789.123", "123456789.123"),
        ("12345678901234567890", "12345678901234567890"),
        ("9007199254740991", "9007199254740991"), ("0.10000000000000001", "0.1"),
        ("1.2345678901234568e17", "123456789012345680"),
    ]

    @Test(
        "A number in a key has one spelling, whichever libjq there is and whichever way it gets there",
        arguments: numbers
    )
    func spelling(_ written: String, _ key: String) throws {
        let page = #"[{"u": "http://a/1", "id": \#(written)}]"#
        for expression in [".id", ".id | tostring", #""\(.id)""#, ".id | tojson | fromjson | tostring"] {
            let read = try Reading(.json { $0.key = expression }, page)
            #expect(read.items.first?.key == key, "\(expression)")
        }
    }
}
