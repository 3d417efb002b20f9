/// An encoding of texts, by its name in the Encoding Standard (WHATWG, §4).
public enum TextEncoding: String, CaseIterable, Hashable, Sendable, Codable {
    case utf8 = "utf-8"
    case utf16le = "utf-16le"
    case utf16be = "utf-16be"
    case ibm866 = "ibm866"
    case latin2 = "iso-8859-2"
    case latin3 = "iso-8859-3"
    case latin4 = "iso-8859-4"
    case cyrillic = "iso-8859-5"
    case arabic = "iso-8859-6"
    case greek = "iso-8859-7"
    case hebrew = "iso-8859-8"
    case latin6 = "iso-8859-10"
    case latin7 = "iso-8859-13"
    case latin8 = "iso-8859-14"
    case latin9 = "iso-8859-15"
    case latin10 = "iso-8859-16"
    case koi8r = "koi8-r"
    case koi8u = "koi8-u"
    case macintosh = "macintosh"
    case macCyrillic = "x-mac-cyrillic"
    case windows874 = "windows-874"
    case windows1250 = "windows-1250"
    case windows1251 = "windows-1251"
    case windows1252 = "windows-1252"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case windows1255 = "windows-1255"
    case windows1256 = "windows-1256"
    case windows1257 = "windows-1257"
    case windows1258 = "windows-1258"
    case gb18030 = "gb18030"
    case big5 = "big5"
    case eucJP = "euc-jp"
    case iso2022JP = "iso-2022-jp"
    case shiftJIS = "shift_jis"
    case eucKR = "euc-kr"

    /// Finds the encoding that a label means, as browsers read it; nil if it is unknown.
    ///
    /// Old labels mean supersets: iso-8859-1 is windows-1252, gb2312 and gbk are gb18030, and shift_jis has the
    /// characters of Windows.
    public init?(label: String) {
        let scalars = label.unicodeScalars.filter { !$0.properties.isWhitespace }
        let word = String(String.UnicodeScalarView(scalars)).lowercased()
        guard let known = TextEncoding(rawValue: word) ?? Self.labels[word] else { return nil }
        self = known
    }

    /// The labels that are no names.
    private static let labels: [String: TextEncoding] = {
        var all: [String: TextEncoding] = [:]
        for (encoding, words) in aliases {
            for word in words.split(separator: " ") { all[String(word)] = encoding }
        }
        for encoding in allCases {
            // Of each name there are spellings with other signs between its parts, or with none.
            let name = encoding.rawValue
            if name.hasPrefix("iso-8859-") {
                let number = name.dropFirst("iso-8859-".count)
                for word in ["iso8859-", "iso8859", "iso_8859-"] { all[word + number] = encoding }
            } else if name.hasPrefix("windows-") {
                for word in ["cp", "x-cp"] { all[word + name.dropFirst("windows-".count)] = encoding }
            }
        }
        return all
    }()

    private static let aliases: [(TextEncoding, String)] = [
        (.utf8, "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
        (.utf16le, "utf-16 utf16 utf16le ucs-2 iso-10646-ucs-2 unicode unicodefeff csunicode"),
        (.utf16be, "utf16be unicodefffe"),
        (.ibm866, "866 cp866 csibm866"), (.latin2, "latin2 l2 iso-ir-101 csisolatin2 iso_8859-2:1987"),
        (.latin3, "latin3 l3 iso-ir-109 csisolatin3 iso_8859-3:1988"),
        (.latin4, "latin4 l4 iso-ir-110 csisolatin4 iso_8859-4:1988"),
        (.cyrillic, "cyrillic iso-ir-144 csisolatincyrillic iso_8859-5:1988"),
        (
            .arabic,
            "arabic iso-ir-127 asmo-708 ecma-114 csisolatinarabic iso-8859-6-e iso-8859-6-i iso_8859-6:1987"
        ),
        (.greek, "greek greek8 iso-ir-126 ecma-118 elot_928 csisolatingreek sun_eu_greek iso_8859-7:1987"),
        (
            .hebrew,
            "hebrew iso-ir-138 csisolatinhebrew iso-8859-8-e iso-8859-8-i logical visual iso_8859-8:1988"
        ),
        (.latin6, "latin6 l6 iso-ir-157 csisolatin6"), (.latin9, "latin9 latin-9 l9 csisolatin9"),
        (.koi8r, "koi koi8 koi8_r cskoi8r"), (.koi8u, "koi8-ru"), (.macintosh, "mac x-mac-roman csmacintosh"),
        (.macCyrillic, "x-mac-ukrainian"), (.windows874, "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"),
        (
            .windows1252,
            "latin1 latin-1 l1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 csisolatin1 "
                + "us-ascii ascii ansi_x3.4-1968 cp819 ibm819"
        ),
        (
            .windows1254,
            "latin5 l5 iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148 csisolatin5"
        ),
        (.gb18030, "gbk gb2312 gb_2312 gb_2312-80 chinese csgb2312 csiso58gb231280 iso-ir-58 x-gbk cp936"),
        (.big5, "big5-hkscs cn-big5 csbig5 x-x-big5 cp950"), (.eucJP, "eucjp cseucpkdfmtjapanese x-euc-jp"),
        (.iso2022JP, "csiso2022jp"),
        (.shiftJIS, "shift-jis sjis x-sjis ms932 ms_kanji csshiftjis windows-31j cp932"),
        (
            .eucKR,
            "euckr cseuckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean iso-ir-149 csksc56011987 "
                + "windows-949 cp949 uhc"
        ),
    ]
}
