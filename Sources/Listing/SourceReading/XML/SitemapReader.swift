import SourceCore

/// Converts a sitemap to `{urls: [{loc, lastmod, images: [{loc, title, caption}]}]}`, or lists the
/// sitemaps of an index.
enum SitemapReader {
    static func read(_ root: XMLElement) throws(ListerFailure) -> (value: Value, children: [ListedPage.Child])
    {
        switch root.name {
        case "sitemapindex":
            let children = root.all("sitemap").compactMap { sitemap in
                sitemap.value("loc").map { ListedPage.Child(url: $0, changed: sitemap.value("lastmod")) }
            }
            return (.object([("urls", .array([]))]), children)
        case "urlset":
            let urls = root.all("url").map { url in
                Value.object([
                    ("loc", .textOrNull(url.value("loc"))), ("lastmod", .textOrNull(url.value("lastmod"))),
                    ("images", .array(images(url))),
                ])
            }
            return (.object([("urls", .array(urls))]), [])
        default:
            throw ListerFailure(
                "unexpected_type",
                root.isHTML
                    ? "the page should be a sitemap, but is \(HTMLBeginning.words)"
                    : "the page is XML, but not a sitemap: it begins with <\(root.name)>; check the source's url"
            )
        }
    }

    /// Returns the images of a page; a page that is a picture is its own image.
    private static func images(_ url: XMLElement) -> [Value] {
        let images = url.all("image:image").compactMap { image -> Value? in
            guard let loc = image.value("image:loc") else { return nil }
            return .object([
                ("loc", .text(loc)), ("title", .textOrNull(image.value("image:title"))),
                ("caption", .textOrNull(image.value("image:caption"))),
            ])
        }
        guard images.isEmpty, let loc = url.value("loc"), ImageSuffix.isThere(loc) else { return images }
        return [.object([("loc", .text(loc)), ("title", .null), ("caption", .null)])]
    }
}
