import SourceCore

/// Converts a feed to a value: RSS 0.9x to 2.0, RSS 1.0 or Atom, with Media RSS.
///
/// The value is
/// `{title, link, image, next, items: [{id, title, link, links, published, updated, author, summary, content,
/// categories, enclosures, media, thumbnails, image}]}`, where `image` is the picture of the feed, or the main one of
/// the item, and `content` HTML.
enum FeedReader {
    static func read(_ root: XMLElement) throws(ListerFailure) -> (value: Value, ttl: Int?) {
        let channel: XMLElement
        let entries: [XMLElement]
        switch root.name {
        case "rss":
            guard let found = root.first("channel") else {
                throw ListerFailure("unexpected_shape", "the feed has no channel (RSS)")
            }
            channel = found
            entries = found.all("item") + root.all("item")
        case "rdf:RDF":
            channel = root.first("channel") ?? root
            entries = root.all("item") + (root.first("channel")?.all("item") ?? [])
        case "feed":
            channel = root
            entries = root.all("entry")
        default:
            throw ListerFailure(
                "unexpected_type",
                root.isHTML
                    ? "the page should be a feed, but is \(HTMLBeginning.words)"
                    : "the page is XML, but not a feed: it begins with <\(root.name)>; check the source's url"
            )
        }
        let value = Value.object([
            ("title", .textOrNull(channel.value("title"))), ("link", .textOrNull(link(channel))),
            ("image", .textOrNull(picture(of: channel))), ("next", .textOrNull(next(channel))),
            ("items", .array(entries.map(item))),
        ])
        return (value, ttl(channel))
    }

    private static func item(_ entry: XMLElement) -> Value {
        let enclosures = entry.all("enclosure").compactMap(enclosure) + atomEnclosures(entry)
        let media = MediaGroup(entry)
        let images = enclosures.filter(\.isImage).map(\.url)
        let id = entry.value("guid", "id") ?? entry.attributes["about"]
        let image =
            media.best ?? images.first ?? media.thumbnail
            ?? entry.first("itunes:image")?.url("href")
        return .object([
            ("id", .textOrNull(id)), ("title", .textOrNull(entry.value("title", "media:title", "dc:title"))),
            ("link", .textOrNull(link(entry) ?? permanentLink(entry))), ("links", .array(links(entry))),
            ("published", .textOrNull(entry.value("pubDate", "published", "issued", "dc:date", "updated"))),
            ("updated", .textOrNull(entry.value("updated", "modified"))),
            (
                "author",
                .textOrNull(entry.first("author")?.value("name") ?? entry.value("author", "dc:creator"))
            ),
            ("summary", .textOrNull(entry.value("description", "summary", "media:description"))),
            ("content", .textOrNull(content(entry))),
            ("categories", .array(categories(entry).map(Value.text))),
            ("enclosures", .array(enclosures.map(\.value))), ("media", .array(media.contents.map(\.value))),
            ("thumbnails", .array(media.thumbnails.map(Value.text))), ("image", .textOrNull(image)),
        ])
    }

    /// Returns the contents of an entry as HTML (RFC 4287 §4.1.3, and the content module of RSS); nil where it has none.
    private static func content(_ entry: XMLElement) -> String? {
        if let encoded = entry.value("content:encoded") { return encoded }
        guard let content = entry.first("content") else { return nil }
        let html = content.children.isEmpty ? content.trimmed : content.html
        return html.isEmpty ? nil : html
    }

    /// Returns all links of an entry; those that don't say what they are to it lead to another form of it.
    private static func links(_ entry: XMLElement) -> [Value] {
        entry.all("link").compactMap { link in
            let url = link.url("href") ?? (link.trimmed.isEmpty ? nil : link.resolved(link.trimmed))
            return url.map { url in
                .object([
                    ("url", .text(url)), ("rel", .text(link.attributes["rel"] ?? "alternate")),
                    ("type", .textOrNull(link.attributes["type"])),
                    ("title", .textOrNull(link.attributes["title"])),
                ])
            }
        }
    }

    /// Returns the picture of a feed: a podcast's cover, or else its own (RSS 2.0) or its logo (RFC 4287 §4.2.8).
    private static func picture(of channel: XMLElement) -> String? {
        if let cover = channel.first("itunes:image")?.url("href") { return cover }
        let image = channel.first("image")
        if let image, let url = image.value("url") { return image.resolved(url) }
        return (channel.first("logo") ?? channel.first("icon")).flatMap { logo in
            logo.trimmed.isEmpty ? nil : logo.resolved(logo.trimmed)
        }
    }

    /// Returns the URL of the next page of a feed (RFC 5005 §3).
    private static func next(_ channel: XMLElement) -> String? {
        channel.all("link").first { $0.attributes["rel"] == "next" }?.url("href")
    }

    private static func categories(_ entry: XMLElement) -> [String] {
        (entry.all("category") + entry.all("dc:subject")).compactMap { category in
            let text = category.attributes["term"] ?? category.trimmed
            return text.isEmpty ? nil : text
        }
    }

    /// Returns an entry's link: a text in RSS, an attribute of the alternate link in Atom
    /// (RFC 4287 §4.2.7.2).
    private static func link(_ element: XMLElement) -> String? {
        let links = element.all("link")
        let atom = links.first { link in
            link.attributes["href"] != nil && [nil, "alternate"].contains(link.attributes["rel"])
        }
        return atom?.url("href") ?? links.first { !$0.trimmed.isEmpty }.map { $0.resolved($0.trimmed) }
    }

    /// Returns an entry's guid if it is a link, as it is unless it says otherwise (RSS 2.0).
    private static func permanentLink(_ entry: XMLElement) -> String? {
        guard let guid = entry.first("guid"), guid.attributes["isPermaLink"] != "false" else { return nil }
        return guid.trimmed.contains("://") ? guid.trimmed : nil
    }

    private struct Enclosure {
        var url: String
        var type: String?
        var length: String?

        var isImage: Bool {
            if let type, !type.isEmpty { return type.lowercased().hasPrefix("image/") }
            return ImageSuffix.isThere(url)
        }

        var value: Value {
            .object([("url", .text(url)), ("type", .textOrNull(type)), ("length", .textOrNull(length))])
        }
    }

    private static func enclosure(_ element: XMLElement) -> Enclosure? {
        guard let url = element.url("url") ?? element.url("resource") else { return nil }
        return Enclosure(url: url, type: element.attributes["type"], length: element.attributes["length"])
    }

    private static func atomEnclosures(_ entry: XMLElement) -> [Enclosure] {
        entry.all("link").compactMap { link in
            guard link.attributes["rel"] == "enclosure", let url = link.url("href") else { return nil }
            return Enclosure(url: url, type: link.attributes["type"], length: link.attributes["length"])
        }
    }

    /// Returns the ttl in seconds, from RSS 2.0 (in minutes) or the period of the syndication module.
    private static func ttl(_ channel: XMLElement) -> Int? {
        if let minutes = channel.value("ttl").flatMap({ Int($0) }), (1...525_600).contains(minutes) {
            return minutes * 60
        }
        let periods = ["hourly": 3600, "daily": 86_400, "weekly": 604_800]
        guard let period = channel.value("sy:updatePeriod").flatMap({ periods[$0] }) else { return nil }
        let times = channel.value("sy:updateFrequency").flatMap { Int($0) } ?? 1
        return times > 0 ? max(1, period / times) : nil
    }
}

/// Recognizes URLs of pictures by the ending of their path.
enum ImageSuffix {
    private static let suffixes = [
        ".jpg", ".jpeg", ".png", ".webp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif",
    ]

    static func isThere(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return suffixes.contains { path.hasSuffix($0) }
    }
}
