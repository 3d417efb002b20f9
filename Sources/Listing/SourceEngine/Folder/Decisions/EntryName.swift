import Vocabulary

/// The name of an entry of the folder: bytes that need not be text.
struct EntryName: Hashable, Sendable {
    /// The bytes, none of which is 0 or a slash.
    let bytes: [UInt8]

    /// The longest name in bytes that Linux's file systems have (NAME_MAX, limits.h).
    static let longest = 255

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    init(_ text: String) { bytes = Array(text.utf8) }

    /// The name for people, on one line.
    var shown: String { String(decoding: bytes, as: UTF8.self).escapedForLog }

    /// The name as text, for a source that is named after its file.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The name with something appended, and cut before that where it would be too long.
    func appending(_ suffix: String) -> EntryName {
        let room = Self.longest - suffix.utf8.count
        var kept = bytes.prefix(room)
        if kept.count < bytes.count {
            // No character is cut in half.
            while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
            if let last = kept.last, last >= 0xC0 { kept.removeLast() }
        }
        return EntryName(Array(kept) + Array(suffix.utf8))
    }

    /// The parts after dots in lower case, the last first.
    ///
    /// By bytes: a dot behind some characters, such as U+0600, is one character with them.
    var suffixes: [String] {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst().reversed()
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    /// The name without its last suffix.
    var stem: String {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return text }
        return String(decoding: bytes[..<dot], as: UTF8.self)
    }

    func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
}
