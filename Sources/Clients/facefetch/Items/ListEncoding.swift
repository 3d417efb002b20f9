/// The encoding of a list's text, as its first bytes tell.
enum ListEncoding: Hashable, Sendable {
    /// UTF-8, or bytes that aren't that and are percent-encoded; with a byte-order mark or without one.
    case bytes
    /// UTF-16, the low byte or the high byte first.
    case utf16(isBigEndian: Bool)

    /// The marks that texts begin with (Unicode Standard, section 2.13).
    private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let littleMark: [UInt8] = [0xFF, 0xFE]
    private static let bigMark: [UInt8] = [0xFE, 0xFF]

    /// Tells the encoding of a list that begins like this; nil if it is none.
    ///
    /// - Parameter beginning: The first kilobyte, or all of a shorter list.
    init?(beginning: some Collection<UInt8>) {
        if beginning.starts(with: Self.bigMark) {
            self = .utf16(isBigEndian: true)
        } else if beginning.starts(with: Self.littleMark) {
            // UTF-32 begins like this, too.
            guard !beginning.starts(with: Self.littleMark + [0, 0]) else { return nil }
            self = .utf16(isBigEndian: false)
        } else if beginning.contains(0) {
            return nil
        } else {
            self = .bytes
        }
    }

    /// Returns the bytes of a list without its mark, in UTF-8 if they were in UTF-16.
    func plain(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .bytes: return bytes.starts(with: Self.utf8Mark) ? Array(bytes.dropFirst(3)) : bytes
        case .utf16(let isBigEndian):
            let rest = bytes.dropFirst(2)
            var units: [UInt16] = []
            units.reserveCapacity(rest.count / 2)
            var place = rest.startIndex
            while place + 1 < rest.endIndex {
                let (first, second) = (UInt16(rest[place]), UInt16(rest[place + 1]))
                units.append(isBigEndian ? first << 8 | second : second << 8 | first)
                place += 2
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
    }
}
