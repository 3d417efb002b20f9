/// The pictures of an item according to Media RSS, in several sizes, whether grouped or not.
struct MediaGroup {
    struct Content {
        var url: String
        var type: String?
        var medium: String?
        var width: Int?
        var height: Int?
        var isDefault: Bool
        /// True if it shows somebody, rather than what the item is about.
        var isPortrait = false

        var isImage: Bool {
            if let medium { return medium.lowercased() == "image" }
            if let type { return type.lowercased().hasPrefix("image/") }
            return ImageSuffix.isThere(url)
        }

        var value: Value {
            .object([
                ("url", .text(url)), ("type", .textOrNull(type)), ("medium", .textOrNull(medium)),
                ("width", width.map(Value.number) ?? .null), ("height", height.map(Value.number) ?? .null),
                ("default", isDefault ? .number(1) : .number(0)),
            ])
        }
    }

    /// All contents offered.
    var contents: [Content] = []
    /// The URLs of thumbnails in order.
    var thumbnails: [String] = []

    /// The first thumbnail that is no portrait.
    var thumbnail: String? { thumbnails.first { !Self.isPortrait($0) } }

    init(_ entry: XMLElement) {
        gather(entry, depth: 0)
    }

    /// Returns whether a URL is that of a person's portrait at Gravatar, with which WordPress begins the pictures of
    /// each post: that of its author.
    private static func isPortrait(_ url: String) -> Bool {
        let rest = url.lowercased().split(separator: "//", maxSplits: 1).last ?? ""
        let parts = rest.split(separator: "/", maxSplits: 2)
        guard parts.count > 1, parts[1] == "avatar" else { return false }
        return parts[0] == "gravatar.com" || parts[0].hasSuffix(".gravatar.com")
    }

    private mutating func gather(_ element: XMLElement, depth: Int) {
        for child in element.children {
            switch child.name {
            case "media:content":
                if let url = child.url("url") {
                    contents.append(
                        Content(
                            url: url,
                            type: child.attributes["type"],
                            medium: child.attributes["medium"],
                            width: child.attributes["width"].flatMap { Int($0) },
                            height: child.attributes["height"].flatMap { Int($0) },
                            isDefault: child.attributes["isDefault"] == "true",
                            isPortrait: Self.isPortrait(url)
                        )
                    )
                }
                if depth < 2 { gather(child, depth: depth + 1) }
            case "media:group": if depth < 2 { gather(child, depth: depth + 1) }
            case "media:thumbnail":
                if let url = child.url("url") { thumbnails.append(url) }
            default: break
            }
        }
    }

    /// The URL of the picture declared as the default, or else the widest, or else the first.
    var best: String? {
        let images = contents.filter { $0.isImage && !$0.isPortrait }
        if let marked = images.first(where: \.isDefault) { return marked.url }
        let widest = images.max { ($0.width ?? 0) < ($1.width ?? 0) }
        return (widest?.width ?? 0) > 0 ? widest?.url : images.first?.url
    }
}
