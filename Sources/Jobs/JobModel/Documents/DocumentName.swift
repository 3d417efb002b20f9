import Vocabulary

/// File names for documents, safe whatever a stranger puts into a URL.
///
/// A safe name is one path component of 1 to 255 bytes of UTF-8 (NAME_MAX of Linux file systems),
/// without separators, control characters or a leading dot. A name chosen by a stranger has no leading
/// dash either, because `tar c *` would take it for an option.
public enum DocumentName {
    /// The longest name that Linux file systems accept, in bytes.
    public static let maximumBytes = 255

    /// The longest name that a document gets, in bytes: a sidecar has room beside it (`NAME.xmp`).
    static let longestMade = 250

    /// The longest extension in bytes; a longer one counts as part of the stem.
    static let maximumExtensionBytes = 16

    /// Returns the name for a URL's file: the last path component, percent-decoded, or the host if there
    /// is none.
    public static func derived(from url: JobURL) -> String {
        var path = url.path[...]
        while path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
        guard !path.isEmpty else { return sanitized(url.host) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return sanitized(percentDecoded(String(slash.map { path[$0...].dropFirst() } ?? path)))
    }

    /// Returns whether a name that a client asks for can be used as it is; it may begin with a dash.
    public static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name == component(name, upTo: maximumBytes)
    }

    /// Returns a safe name that somebody asked for, without the end of its stem if that is needed to leave room for a
    /// sidecar.
    public static func shortened(_ name: String) -> String {
        name.utf8.count > longestMade ? limited(name, suffix: "") : name
    }

    /// Returns the safe name closest to text from a stranger.
    public static func sanitized(_ raw: String) -> String {
        let name = component(raw, upTo: longestMade)
        return name.utf8.first == UInt8(ascii: "-") ? "_" + String(name.unicodeScalars.dropFirst()) : name
    }

    /// Returns the closest name that is one path component.
    private static func component(_ raw: String, upTo limit: Int) -> String {
        if isPlain(raw, upTo: limit) { return raw }
        var scalars = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars {
            scalars.append(scalar.isUnsafeInName ? "_" : scalar)
        }
        let kept = separable(trimmed(String(scalars)))
        return kept.isEmpty ? "download" : limited(kept, suffix: "", upTo: limit)
    }

    /// Returns a name that stays apart from the slashes before and behind it in a path.
    ///
    /// To Swift and others, a slash and a combining mark behind it are one character, as are some signs and a slash
    /// behind them (Unicode Standard Annex #29, GB9 and GB9b): whoever looks for the slash wouldn't find it.
    private static func separable(_ name: String) -> String {
        let front = ("/" + name).first == "/" ? "" : "_"
        return front + name + ((name + "/").last == "/" ? "" : "_")
    }

    /// Returns whether a name is printable ASCII and safe, as almost all are, so that Unicode properties
    /// need not be looked up.
    private static func isPlain(_ name: String, upTo limit: Int) -> Bool {
        let bytes = name.utf8
        guard (1...limit).contains(bytes.count), bytes.first != UInt8(ascii: "."),
            bytes.first != UInt8(ascii: " "), bytes.last != UInt8(ascii: " ")
        else { return false }
        return bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
    }

    /// Returns the n-th name to try when the first is taken, such as `name (2).jpg`.
    public static func numbered(_ name: String, _ number: Int) -> String {
        number < 2 ? name : limited(name, suffix: " (\(number))")
    }

    /// Returns the name without the number that ``numbered(_:_:)`` has put into it, if it has one.
    public static func unnumbered(_ name: String) -> String {
        let (stem, ending) = split(name)
        guard stem.utf8.last == UInt8(ascii: ")"), let open = stem.lastIndex(of: "("),
            stem[..<open].utf8.last == UInt8(ascii: " ")
        else { return name }
        let number = stem[stem.index(after: open)...].dropLast()
        let rest = stem[..<open].dropLast()
        guard !rest.isEmpty, (1...9).contains(number.utf8.count),
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return name }
        return rest + ending
    }

    /// Returns a name with the extension of a media type, unless it has one or the type has none that is
    /// usual.
    ///
    /// What follows the last dot of a host's name, for a URL without a path, is no extension.
    public static func extended(_ name: String, for url: JobURL, contentType: String?) -> String {
        guard let contentType, name == sanitized(url.host) || !hasExtension(name),
            let ending = MediaExtension.usual(for: contentType)
        else { return name }
        return limited(name.utf8.last == UInt8(ascii: ".") ? name + ending : "\(name).\(ending)", suffix: "")
    }

    /// Returns a name with the extension of a kind of picture, unless it has one that fits.
    ///
    /// It takes the place of the extension of another kind of picture, or of a script or page; behind anything else
    /// it is added.
    public static func adjusted(_ name: String, to kind: PictureKind) -> String {
        let (stem, ending) = split(name)
        let letters = ending.dropFirst().lowercased()
        if kind.endings.contains(letters) { return name }
        if PictureKind.replaced.contains(letters) { return limited("\(stem).\(kind.ending)", suffix: "") }
        return limited(
            name.utf8.last == UInt8(ascii: ".") ? name + kind.ending : "\(name).\(kind.ending)",
            suffix: ""
        )
    }

    /// Returns whether a few letters and digits follow the last dot, not digits alone: `v1.5` and
    /// `St. Mark` have no extension.
    private static func hasExtension(_ name: String) -> Bool {
        let bytes = name.utf8
        if bytes.allSatisfy({ $0 < 0x80 }) {
            let dot = bytes.lastIndex(of: UInt8(ascii: "."))
            guard let dot, dot != bytes.startIndex else { return false }
            let ending = bytes[dot...].dropFirst()
            return ending.count < maximumExtensionBytes && ending.contains(where: \.isASCIILetter)
                && ending.allSatisfy { $0.isASCIILetter || (0x30...0x39).contains($0) }
        }
        let ending = split(name).ending.dropFirst()
        return ending.contains(where: \.isLetter)
            && ending.utf8.allSatisfy { Character(Unicode.Scalar($0)).isASCIIAlphanumeric }
    }

    /// Returns `name` with `suffix` before its extension, shortened to the limit between characters of
    /// the stem.
    private static func limited(_ name: String, suffix: String, upTo limit: Int = longestMade) -> String {
        let (stem, ending) = split(name)
        let room = limit - suffix.utf8.count - ending.utf8.count
        guard stem.utf8.count > room else { return stem + suffix + ending }
        var cut = ""
        var count = 0
        for character in stem {
            count += character.utf8.count
            guard count <= room else { break }
            cut.append(character)
        }
        // The cut may have left white space at the end, which isn't allowed there.
        if suffix.isEmpty, ending.isEmpty { cut = trimmed(cut) }
        // A single character of many scalars can exceed the limit by itself.
        if cut.isEmpty { cut = "download" }
        return cut + suffix + ending
    }

    /// Splits a name into its stem and its extension, which includes the dot.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ending = name[dot...]
        guard ending.utf8.count <= maximumExtensionBytes, ending.utf8.count > 1 else { return (name, "") }
        return (String(name[..<dot]), String(ending))
    }

    private static func trimmed(_ name: String) -> String {
        // By scalars: a dot with a combining mark is one character, and still a leading dot.
        let front = name.unicodeScalars.drop { $0 == "." || $0.properties.isWhitespace }
        let back = front.reversed().drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(back.reversed()))
    }

    /// Decodes percent-encoding (RFC 3986 §2.1); text whose bytes aren't UTF-8 stays encoded.
    private static func percentDecoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(validating: PercentEncoding.decodedBytes(text), as: UTF8.self) ?? text
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

extension Character {
    fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}

extension Unicode.Scalar {
    /// True if this is a separator, a control character, or a bidirectional control, which could make a name
    /// appear to have another extension.
    fileprivate var isUnsafeInName: Bool {
        if self == "/" { return true }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return properties.isBidiControl
        default: return false
        }
    }
}
