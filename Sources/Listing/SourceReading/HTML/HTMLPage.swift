import SourceCore

/// A page of HTML as expressions see it.
struct HTMLPage {
    /// The page as an object.
    let value: Value
    /// A sentence that says what was found in it.
    let seen: String
    /// A sentence about what is odd in it; nil if nothing is.
    let note: String?

    /// Makes the object, with absolute URLs (RFC 3986 §5).
    init(_ page: HTMLGathering, url: String) {
        var addresses = HTMLAddresses(page: url, base: page.base)
        let data = page.data.compactMap { text in try? JSONValueReader.read(Array(text.utf8)) }
        let links = page.links.map { addresses.absolute($0.url) }
        let next = page.links.firstIndex {
            $0.rel?.split(whereSeparator: \.isWhitespace).contains("next") ?? false
        }
        // As it is written, so that what the page was asked for with stays in it.
        let nextURL = next.map { page.base == nil ? page.links[$0].url : links[$0] }
        let meta: [(String, Value)] = page.meta.map { ($0.name, Value.text($0.content)) }
        var images: [Value] = []
        for image in page.images { images.append(Self.value(image, addresses.absolute(image.url), links)) }
        let members: [(String, Value)] = [
            ("url", Value.text(url)), ("base", Value.text(addresses.base.text)),
            ("title", Value.textOrNull(page.title)), ("meta", Value.object(meta)),
            ("images", Value.array(images)),
            ("links", Value.array(zip(page.links, links).map { Self.value($0, $1) })),
            ("json_ld", Value.array(data)), ("next", Value.textOrNull(nextURL)),
        ]
        value = Value.object(members)
        func count(_ number: Int, _ one: String, _ many: String) -> String {
            number == 1 ? "1 \(one)" : "\(number) \(many)"
        }
        var parts = [count(page.images.count, "image", "images"), count(links.count, "link", "links")]
        if !data.isEmpty { parts.append("\(data.count) json_ld") }
        let name = page.title.map { " \"\($0.prefix(60))\"" } ?? ""
        let all = parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
        seen = "the page\(name) is HTML with \(all)" + (next == nil ? "" : ", and a link to a next page")
        note =
            page.images.isEmpty && page.scripts > 0
            ? "the page as it comes has no images; what its scripts would add isn't seen" : nil
    }

    private static func value(_ image: HTMLGathering.Image, _ url: String, _ links: [String]) -> Value {
        let members: [(String, Value)] = [
            ("url", .text(url)), ("alt", .textOrNull(image.alt)), ("title", .textOrNull(image.title)),
            ("width", image.width.map(Value.number) ?? .null),
            ("height", image.height.map(Value.number) ?? .null), ("srcset", .textOrNull(image.srcset)),
            ("class", .textOrNull(image.class)), ("id", .textOrNull(image.id)),
            ("parent_link", .textOrNull(image.link.map { links[$0] })),
        ]
        return .object(members)
    }

    private static func value(_ link: HTMLGathering.Link, _ url: String) -> Value {
        let members: [(String, Value)] = [
            ("url", .text(url)), ("text", .textOrNull(link.text)), ("rel", .textOrNull(link.rel)),
            ("type", .textOrNull(link.type)), ("class", .textOrNull(link.class)),
            ("id", .textOrNull(link.id)),
        ]
        return .object(members)
    }
}

/// Makes the URLs in a page absolute, each one once.
struct HTMLAddresses {
    /// The URL that the others are relative to.
    let base: URLReference
    private var known: [String: String] = [:]

    init(page: String, base: String?) {
        let page = URLReference(page)
        // One that nothing can be asked for under says nothing (HTML §2.4.3).
        let other = base.map { page.resolving($0) }.flatMap { $0.isFetchable ? $0 : nil }
        self.base = other ?? page
    }

    mutating func absolute(_ text: String) -> String {
        if let known = known[text] { return known }
        let url = base.resolving(text).text
        known[text] = url
        return url
    }
}
