import CPages
import SourceCore

/// Converts a JSON Feed (jsonfeed.org, versions 1 and 1.1) to the value that ``FeedReader`` makes of others.
enum JSONFeedReader {
    /// Returns whether a page may be one, since it isn't XML.
    static func mayBe(_ bytes: [UInt8]) -> Bool {
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return start == UInt8(ascii: "{")
    }

    static func read(_ feed: Value) throws(ListerFailure) -> Value {
        let version = feed.member("version").text ?? ""
        guard version.contains("jsonfeed.org/version/"), feed.member("items").kind == JV_KIND_ARRAY else {
            throw ListerFailure(
                "unexpected_type",
                "the page is JSON, but not a feed; check the source's url, or set kind: json",
                excerpt: Excerpt.of(feed.json.utf8)
            )
        }
        let items = feed.member("items")
        return .object([
            ("title", feed.member("title").textOrNull), ("link", feed.member("home_page_url").textOrNull),
            ("image", first(feed, "icon", "favicon")), ("next", feed.member("next_url").textOrNull),
            ("items", .array((0..<items.count).map { item(items.element($0)) })),
        ])
    }

    private static func item(_ item: Value) -> Value {
        let attachments = elements(item.member("attachments")).filter { $0.member("url").text != nil }
        let picture = attachments.first {
            $0.member("mime_type").text?.lowercased().hasPrefix("image/") == true
        }
        let own = first(item, "image", "banner_image")
        let author = elements(item.member("authors")).first ?? item.member("author")
        return .object([
            ("id", .textOrNull(item.member("id").scalar)), ("title", item.member("title").textOrNull),
            ("link", first(item, "url", "external_url")),
            (
                "links",
                .array([("url", "alternate"), ("external_url", "related")].compactMap { link(item, $0, $1) })
            ),
            ("published", item.member("date_published").textOrNull),
            ("updated", item.member("date_modified").textOrNull),
            ("author", author.member("name").textOrNull), ("summary", item.member("summary").textOrNull),
            ("content", first(item, "content_html", "content_text")),
            ("categories", .array(elements(item.member("tags")).filter { $0.text != nil })),
            (
                "enclosures",
                .array(
                    attachments.map { attachment in
                        .object([
                            ("url", attachment.member("url")),
                            ("type", attachment.member("mime_type").textOrNull),
                            ("length", .textOrNull(attachment.member("size_in_bytes").scalar)),
                        ])
                    }
                )
            ),
            ("media", .array([])), ("thumbnails", .array([])),
            ("image", own.kind == JV_KIND_NULL ? picture?.member("url") ?? .null : own),
        ])
    }

    private static func link(_ item: Value, _ name: String, _ relation: String) -> Value? {
        guard let url = item.member(name).text else { return nil }
        return .object([("url", .text(url)), ("rel", .text(relation)), ("type", .null), ("title", .null)])
    }

    private static func elements(_ value: Value) -> [Value] {
        value.kind == JV_KIND_ARRAY ? (0..<value.count).map { value.element($0) } : []
    }

    /// Returns the first member that is a text.
    private static func first(_ value: Value, _ names: String...) -> Value {
        names.lazy.map { value.member($0) }.first { ($0.text ?? "").isEmpty == false } ?? .null
    }
}

extension Value {
    /// The value, if it is a text, or null.
    fileprivate var textOrNull: Value { kind == JV_KIND_STRING ? self : .null }
}
