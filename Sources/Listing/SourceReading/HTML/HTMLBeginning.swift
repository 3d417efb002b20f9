import SourceCore

/// The beginning of what should be HTML, or of what should be something else and is HTML.
struct HTMLBeginning {
    private let bytes: ArraySlice<UInt8>
    /// The first characters in lower case.
    private let start: String

    init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes.prefix(1024)).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        start = String(decoding: self.bytes, as: UTF8.self).lowercased()
    }

    /// True if a page is HTML beyond doubt.
    var isHTML: Bool {
        start.hasPrefix("<")
            && ["<!doctype html", "<html", "<head>", "<body"].contains { start.contains($0) }
    }

    /// A clause for a page that should be something else and begins with `<`: what it is, and what to do.
    var words: String {
        isHTML ? Self.words : "HTML or XML; check the source's url and kind"
    }

    /// The same for what is HTML.
    static let words = "HTML; check the source's url, or set kind: html if the pictures are in such pages"

    /// Checks that a page may be HTML: the parser would take anything.
    func check() throws(ListerFailure) {
        guard let found else { return }
        throw ListerFailure(
            "unexpected_type",
            "the page should be HTML, but is \(found)",
            excerpt: Excerpt.of(bytes)
        )
    }

    private var found: String? {
        guard let first = bytes.first else { return "empty" }
        if bytes.contains(0) { return "something else, with bytes that no text has; check the source's url" }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") && !start.contains("<") {
            return "JSON; check the source's url, or set kind: json"
        }
        if isHTML { return nil }
        let others = [
            ("feed", ["<rss", "<feed", "<rdf:rdf"]), ("sitemap", ["<urlset", "<sitemapindex"]),
        ]
        for (kind, tags) in others
        where tags.contains(where: { start.contains($0 + " ") || start.contains($0 + ">") }) {
            return "a \(kind); set kind: \(kind)"
        }
        if start.hasPrefix("<?xml") { return "XML; check the source's url, or set kind: xml" }
        return bytes.contains(UInt8(ascii: "<")) || bytes.count >= 1000
            ? nil : "something else; check the source's url and kind"
    }
}
