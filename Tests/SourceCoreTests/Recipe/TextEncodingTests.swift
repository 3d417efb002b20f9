import Testing

@testable import SourceCore

@Suite struct TextEncodingTests {
    @Test(
        "Labels mean what they mean to browsers",
        arguments: [
            ("UTF-8", .utf8), (" utf8 ", .utf8), ("latin-1", .windows1252), ("ISO-8859-1", .windows1252),
            ("us-ascii", .windows1252), ("iso8859-2", .latin2), ("ISO_8859-5", .cyrillic),
            ("latin9", .latin9),
            ("cp1251", .windows1251), ("x-cp1250", .windows1250), ("Windows-1254", .windows1254),
            ("iso-8859-9", .windows1254), ("tis-620", .windows874), ("KOI8-R", .koi8r), ("gb2312", .gb18030),
            ("GBK", .gb18030), ("Big5", .big5), ("EUC-KR", .eucKR), ("ks_c_5601-1987", .eucKR),
            ("Shift_JIS", .shiftJIS), ("sjis", .shiftJIS), ("windows-31j", .shiftJIS), ("euc-jp", .eucJP),
            ("utf-16", .utf16le), ("UTF-16BE", .utf16be), ("klingon", nil), ("", nil), ("utf-7", nil),
        ] as [(String, TextEncoding?)]
    )
    func labels(_ label: String, _ encoding: TextEncoding?) {
        #expect(TextEncoding(label: label) == encoding)
    }

    @Test(
        "A charset is found in Content-Type, in whichever form",
        arguments: [
            ("text/html; charset=windows-1251", "windows-1251"),
            ("text/csv;Charset=\"GBK\"; header=present", "GBK"),
            ("application/xml; a=b; charset = 'koi8-r' ", "koi8-r"), ("text/plain", nil), ("", nil),
            ("charset=utf-8", nil), ("text/plain; charset=", nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func charset(_ field: String?, _ label: String?) {
        #expect(EncodingHints.charset(inContentType: field) == label)
    }

    @Test("Marks, UTF-16 without one, and XML declarations")
    func hints() {
        #expect(EncodingHints.mark([0xFF, 0xFE, 0x61, 0])?.encoding == .utf16le)
        #expect(EncodingHints.mark([0xFE, 0xFF])?.encoding == .utf16be)
        #expect(EncodingHints.mark([0xEF, 0xBB, 0xBF])?.length == 3)
        #expect(EncodingHints.mark([0x61]) == nil && EncodingHints.mark([]) == nil)
        #expect(EncodingHints.unmarked([0x68, 0, 0x74, 0]) == .utf16le)
        #expect(EncodingHints.unmarked([0, 0x68, 0, 0x74]) == .utf16be)
        #expect(EncodingHints.unmarked([0x68, 0x74, 0x74, 0x70]) == nil)
        let declaration = "\n<?xml version='1.0' encoding='Big5'?><rss/>"
        #expect(EncodingHints.declaration(inXML: Array(declaration.utf8)) == "Big5")
        #expect(EncodingHints.declaration(inXML: Array("<?xml version='1.0'?><a encoding='x'/>".utf8)) == nil)
        #expect(EncodingHints.declaration(inXML: Array("<a/>".utf8)) == nil)
    }
}
