import Glibc
import SourceCore
import Synchronization

/// The converters of glibc's iconv from other encodings to UTF-8.
///
/// glibc loads most of them from files, which the sandbox doesn't let a reader open, so they are opened before.
public enum Converters {
    /// A converter; it is used under the lock alone, since it has a state.
    private struct Converter: @unchecked Sendable {
        let raw: iconv_t
    }

    private static let opened = Mutex<[TextEncoding: Converter]>([:])

    /// Opens all converters, which takes about two milliseconds; those that this machine lacks are left out.
    public static func open() {
        for encoding in TextEncoding.allCases { _ = opened.withLock { converter(encoding, &$0) } }
    }

    /// Returns bytes in an encoding as UTF-8; nil if this machine has no converter for it.
    ///
    /// What is no character becomes U+FFFD (Encoding Standard §4.1), and a mark at the beginning is left out.
    static func utf8(_ bytes: some Collection<UInt8>, from encoding: TextEncoding) -> [UInt8]? {
        let mark = EncodingHints.mark(bytes)
        let bytes = Array(bytes.dropFirst(mark?.encoding == encoding ? mark?.length ?? 0 : 0))
        switch encoding {
        case .utf8: return bytes
        case .utf16le: return Array(String(decoding: units(bytes, isLittle: true), as: UTF16.self).utf8)
        case .utf16be: return Array(String(decoding: units(bytes, isLittle: false), as: UTF16.self).utf8)
        case .windows1252: return Array(String(Windows1252.scalars(bytes)).utf8)
        default: return opened.withLock { opened in converter(encoding, &opened).map { convert(bytes, $0) } }
        }
    }

    private static func units(_ bytes: [UInt8], isLittle: Bool) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
        }
        if !bytes.count.isMultiple(of: 2) { units.append(0xFFFD) }
        return units
    }

    private static func converter(
        _ encoding: TextEncoding,
        _ opened: inout [TextEncoding: Converter]
    ) -> Converter? {
        if let known = opened[encoding] { return known }
        guard let name = encoding.nameForIconv, let raw = iconv_open("UTF-8", name), raw != failed else {
            return nil
        }
        let converter = Converter(raw: raw)
        opened[encoding] = converter
        return converter
    }

    private static var failed: iconv_t? { iconv_t(bitPattern: -1) }

    private static func convert(_ given: [UInt8], _ converter: Converter) -> [UInt8] {
        var given = given
        var output: [UInt8] = []
        output.reserveCapacity(given.count + given.count / 2)
        // No longer than a short line needs, since lists are converted line by line.
        var buffer = [CChar](repeating: 0, count: min(4 * given.count + 64, 1 << 16))
        // The initial state: what was converted before says nothing here.
        _ = iconv(converter.raw, nil, nil, nil, nil)
        given.withUnsafeMutableBytes { input in
            var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = input.count
            var isFlushed = false
            while left > 0 || !isFlushed {
                let status = buffer.withUnsafeMutableBufferPointer { space -> (count: Int, cause: Int32) in
                    var place = space.baseAddress
                    var room = space.count
                    // The last call writes what the converter has kept.
                    isFlushed = left == 0
                    let result =
                        left > 0
                        ? iconv(converter.raw, &next, &left, &place, &room)
                        : iconv(converter.raw, nil, nil, &place, &room)
                    return (space.count - room, result == Int(bitPattern: UInt.max) ? errno : 0)
                }
                output += buffer[..<status.count].map { UInt8(bitPattern: $0) }
                guard status.cause == EILSEQ || status.cause == EINVAL, left > 0 else { continue }
                output += [0xEF, 0xBF, 0xBD]
                next = next?.advanced(by: 1)
                left -= 1
            }
        }
        return output
    }
}

extension TextEncoding {
    /// The name that glibc has for it; nil for what is converted without glibc.
    fileprivate var nameForIconv: String? {
        switch self {
        case .utf8, .utf16le, .utf16be, .windows1252: nil
        // glibc's SHIFT_JIS and EUC-JP lack the characters of Windows, and have other signs for \ and ~.
        case .shiftJIS: "CP932"
        case .eucJP: "EUC-JP-MS"
        case .eucKR: "CP949"
        case .big5: "BIG5-HKSCS"
        case .macintosh: "MACINTOSH"
        case .macCyrillic: "MAC-CYRILLIC"
        case .windows874: "CP874"
        case .windows1250, .windows1251, .windows1253, .windows1254, .windows1255, .windows1256, .windows1257,
            .windows1258:
            "CP" + rawValue.suffix(4)
        default: rawValue.uppercased()
        }
    }
}

/// The encoding windows-1252, of which ISO 8859-1 is a part.
enum Windows1252 {
    static func scalars(_ bytes: some Collection<UInt8>) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append((0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return scalars
    }

    /// The characters 0x80 to 0x9F (Encoding Standard §9); the five that it leaves out are control characters.
    private static let upper = Array(
        "\u{20AC}\u{81}\u{201A}\u{0192}\u{201E}\u{2026}\u{2020}\u{2021}\u{02C6}\u{2030}\u{0160}\u{2039}\u{0152}\u{8D}\u{017D}\u{8F}\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{02DC}\u{2122}\u{0161}\u{203A}\u{0153}\u{9D}\u{017E}\u{0178}"
            .unicodeScalars
    )
}
