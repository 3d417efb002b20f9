import CPages
import SourceCore

/// A reader of HTML pages, as browsers without scripts see them (html.spec.whatwg.org).
///
/// gumbo parses them: it is made for HTML5 and for pages of strangers, and in all releases of Debian that count.
enum HTMLReader {
    /// The most memory for a page's tree in bytes, besides four times the largest page.
    private static let memory = 192 << 20

    /// Reads a page into an object for expressions.
    ///
    /// - Parameters:
    ///   - url: the page's own URL.
    ///   - most: the size of the largest page in bytes.
    static func read(
        _ given: [UInt8],
        url: String,
        _ encoding: PageEncoding = PageEncoding(),
        most: Int
    ) throws(ListerFailure) -> HTMLPage {
        var bytes = try encoding.html(given) ?? given
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        try HTMLBeginning(bytes).check()
        try HTMLGauge.check(bytes)
        let room = memory + 4 * min(most, 1 << 40)
        // The tree refers to the text.
        let found = bytes.withUnsafeBytes { text -> HTMLGathering? in
            guard let tree = CHTMLTree_parse(text.baseAddress, text.count, room) else { return nil }
            defer { CHTMLTree_free(tree) }
            return gather(tree)
        }
        guard let found else {
            throw ListerFailure(
                "too_much_memory",
                "reading the page takes too much memory; ask for smaller pages"
            )
        }
        return HTMLPage(found, url: url)
    }

    private static func gather(_ tree: OpaquePointer) -> HTMLGathering {
        var gathering = HTMLGathering()
        var event = CHTMLTreeEvent()
        while true {
            CHTMLTree_next(tree, &event)
            switch event.kind {
            case CHTMLTree_open: gathering.open(event)
            case CHTMLTree_close: gathering.close(event.element)
            case CHTMLTree_text: gathering.text(event.text.map { String(cString: $0) } ?? "")
            default: return gathering
            }
        }
    }
}
