/// Keeps a spreadsheet from taking a stranger's text for a formula.
///
/// An apostrophe in front makes it a text. A spreadsheet separates what its country does, mostly by semicolons, and
/// then knows nothing of our quotes: a cell of its may begin in the middle of one of ours. So the apostrophe
/// stands wherever one would begin with a sign that begins formulas.
public enum SpreadsheetText {
    /// A text with the apostrophes that it needs.
    public static func marked(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            let places = places(in: bytes)
            guard !places.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
            var marked: [UInt8] = []
            var start = 0
            for place in places {
                marked += bytes[start..<place]
                marked.append(apostrophe)
                start = place
            }
            return String(decoding: marked + bytes[start...], as: UTF8.self)
        }
    }

    /// The character that is put in front.
    static let apostrophe = UInt8(ascii: "'")

    /// The places before which an apostrophe is needed, in order.
    static func places(in text: UnsafeBufferPointer<UInt8>) -> [Int] {
        guard let first = text.first else { return [] }
        // Spreadsheets drop tabs and line ends from the beginning of a cell.
        var places = [0x09, 0x0A, 0x0D].contains(first) || isSign(text, at: 0) ? [0] : []
        guard mayHaveSeparators(text) else { return places }
        var index = 0
        while index < text.count {
            let length = separator(text, at: index)
            index += max(1, length)
            guard length > 0 else { continue }
            // Behind a separator a quote begins a cell as well.
            var sign = index
            while sign < text.count, text[sign] == UInt8(ascii: "\"") { sign += 1 }
            if isSign(text, at: sign) { places.append(index) }
        }
        return places
    }

    /// Returns whether there may be separators at all: by bytes that they begin with, and few others.
    private static func mayHaveSeparators(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Without a way out of the loop, the compiler looks at many bytes at once.
        var found: UInt8 = 0
        for byte in text {
            found |=
                (byte == UInt8(ascii: ";") ? 1 : 0) | (byte == 0x09 ? 1 : 0) | (byte == 0x0A ? 1 : 0)
                | (byte == 0x0D ? 1 : 0) | (byte == 0xD8 ? 1 : 0) | (byte == 0xE3 ? 1 : 0)
                | (byte == 0xEF ? 1 : 0)
        }
        return found != 0
    }

    /// Returns the number of bytes of a separator at a place; 0 if there is none.
    ///
    /// A comma is not one: whoever separates by commas knows our quotes. Line ends separate rows.
    private static func separator(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        switch (text[index], byte(text, index + 1), byte(text, index + 2)) {
        case (UInt8(ascii: ";"), _, _), (0x09, _, _), (0x0A, _, _), (0x0D, _, _): 1
        // ، and ؛
        case (0xD8, 0x8C, _), (0xD8, 0x9B, _): 2
        // 、 ， and ；
        case (0xE3, 0x80, 0x81), (0xEF, 0xBC, 0x8C), (0xEF, 0xBC, 0x9B): 3
        default: 0
        }
    }

    /// Returns whether a formula may begin at a place: with = + - @, or one of these as wide or as small as a
    /// Chinese character (U+FF1D, U+FE66 and others), which some take for the same.
    private static func isSign(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        switch (byte(text, index), byte(text, index + 1), byte(text, index + 2)) {
        case (UInt8(ascii: "="), _, _), (UInt8(ascii: "+"), _, _), (UInt8(ascii: "-"), _, _),
            (UInt8(ascii: "@"), _, _):
            true
        case (0xEF, 0xBC, let last): [0x9D, 0x8B, 0x8D, 0xA0].contains(last)
        case (0xEF, 0xB9, let last): [0xA6, 0xA2, 0xA3, 0xAB].contains(last)
        default: false
        }
    }

    /// A byte; 0 behind the end.
    private static func byte(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8 {
        index < text.count ? text[index] : 0
    }
}
