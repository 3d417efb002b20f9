import SourceCore

/// Decides in which encoding a page is, and brings it into UTF-8.
struct PageEncoding {
    /// The recipe's encoding, which is right whatever else is said; nil for none.
    var given: TextEncoding?
    /// The label in Content-Type; nil for none.
    var charset: String?

    init(given: String? = nil, contentType: String? = nil) {
        self.given = given.flatMap(TextEncoding.init(label:))
        charset = EncodingHints.charset(inContentType: contentType)
    }

    /// Returns JSON in UTF-8, which it has to be (RFC 8259 §8.1), and isn't always; nil if nothing has to change.
    ///
    /// What may be UTF-8 is, since servers say of it what they say of their other pages.
    func json(_ bytes: [UInt8]) throws(ListerFailure) -> [UInt8]? {
        let certain = EncodingHints.mark(bytes)?.encoding ?? given ?? EncodingHints.unmarked(bytes)
        if let certain { return certain == .utf8 ? nil : try Self.utf8(bytes, certain) }
        guard !Self.isUTF8(bytes), let other = charset.flatMap(TextEncoding.init(label:)), other != .utf8
        else {
            return nil
        }
        return try Self.utf8(bytes, other)
    }

    /// Returns XML in UTF-8; nil if it is that already.
    ///
    /// What Content-Type says goes before the document's own declaration (RFC 7303 §3). What may be UTF-8 is, if
    /// either says so or both say what many servers say of all that they have.
    func xml(_ bytes: [UInt8]) throws(ListerFailure) -> [UInt8]? {
        if let known = certain(bytes) { return known == .utf8 ? nil : try Self.utf8(bytes, known) }
        return try markup(bytes, [charset, EncodingHints.declaration(inXML: bytes)].compactMap(\.self))
    }

    /// Returns HTML in UTF-8; nil if it is that already, as far as anybody says.
    ///
    /// It is read like XML, with what a `meta` element says in place of a declaration. As in browsers, a label that
    /// nobody knows says nothing. Where nothing is said, what is no UTF-8 is windows-1252 (HTML §13.2.3.2).
    func html(_ bytes: [UInt8]) throws(ListerFailure) -> [UInt8]? {
        if let known = certain(bytes) { return known == .utf8 ? nil : try Self.utf8(bytes, known) }
        let labels = [charset, EncodingHints.declaration(inHTML: bytes)].compactMap(\.self)
            .filter { TextEncoding(label: $0) != nil }
        if let converted = try markup(bytes, labels) { return converted }
        guard labels.isEmpty, !Self.isUTF8(bytes) else { return nil }
        return try Self.utf8(bytes, .windows1252)
    }

    /// The encoding that is certain whatever else is said; nil if none is.
    private func certain(_ bytes: [UInt8]) -> TextEncoding? {
        EncodingHints.mark(bytes)?.encoding ?? given ?? EncodingHints.unmarked(bytes)
    }

    /// Returns XML or HTML in UTF-8 by what Content-Type and the page itself say, in this order; nil if it is that
    /// already.
    private func markup(_ bytes: [UInt8], _ labels: [String]) throws(ListerFailure) -> [UInt8]? {
        let isPlain = bytes.allSatisfy { $0 < 0x80 }
        let named = labels.compactMap(TextEncoding.init(label:))
        if !isPlain, named.contains(.utf8) || named.allSatisfy({ $0 == .windows1252 }), Self.isUTF8(bytes) {
            return nil
        }
        // Without a mark, what can be read as far as its declaration isn't UTF-16; and what is no UTF-8 isn't, although
        // many servers say so of all that they have.
        let known = named.first { $0 != .utf16le && $0 != .utf16be && (isPlain || $0 != .utf8) }
        if let known { return known == .utf8 ? nil : try Self.utf8(bytes, known) }
        if let label = labels.first, !isPlain, TextEncoding(label: label) == nil {
            throw Self.unknown(label, bytes)
        }
        return nil
    }

    /// Decides about a list by its beginning: what its rows are in.
    ///
    /// What begins with characters of UTF-8 is that, whatever Content-Type says: hardly any text in an encoding of one
    /// byte a character looks like it. In the others a word may.
    func list(_ start: some Collection<UInt8>) throws(ListerFailure) -> TextEncoding {
        if let certain = EncodingHints.mark(start)?.encoding ?? given ?? EncodingHints.unmarked(start) {
            return certain
        }
        guard let charset else { return .utf8 }
        let beginning = Self.utf8Beginning(of: start)
        guard let known = TextEncoding(label: charset) else {
            if beginning != nil { return .utf8 }
            throw Self.unknown(charset, start)
        }
        if known == .utf16le || known == .utf16be { return .utf8 }
        return known.isSingleByte && beginning?.contains { $0 >= 0x80 } == true ? .utf8 : known
    }

    static func utf8(
        _ bytes: some Collection<UInt8>,
        _ encoding: TextEncoding
    ) throws(ListerFailure) -> [UInt8] {
        if let text = Converters.utf8(bytes, from: encoding) { return text }
        throw ListerFailure(
            "unexpected_type",
            "the page is in the encoding \(encoding.rawValue), for which this machine's libc has no converter; install "
                + "libc-gconv-modules-extra",
            excerpt: Excerpt.of(bytes)
        )
    }

    private static func unknown(_ label: String, _ bytes: some Collection<UInt8>) -> ListerFailure {
        ListerFailure(
            "unexpected_type",
            "the page is in an unknown encoding, \(label.prefix(40)); set encoding in the recipe to the right one",
            excerpt: Excerpt.of(bytes)
        )
    }

    /// Returns bytes without a last character that is cut off, if they are UTF-8 then; nil if they aren't.
    private static func utf8Beginning(of bytes: some Collection<UInt8>) -> [UInt8]? {
        var beginning = Array(bytes)
        for _ in 0...3 {
            if isUTF8(beginning) { return beginning }
            guard let last = beginning.last, last >= 0x80 else { return nil }
            beginning.removeLast()
        }
        return nil
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            return false
        }
    }
}

extension TextEncoding {
    /// True if each character is one byte.
    fileprivate var isSingleByte: Bool {
        switch self {
        case .utf8, .utf16le, .utf16be, .gb18030, .big5, .eucJP, .iso2022JP, .shiftJIS, .eucKR: false
        default: true
        }
    }
}
