/// The format of a source's pages.
public enum PageKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// JSON.
    case json
    /// One JSON value per line.
    case jsonl
    /// Rows with fields separated by commas (RFC 4180).
    case csv
    /// Rows with fields separated by tabs.
    case tsv
    /// One URL per line, perhaps with a name behind a tab.
    case lines
    /// RSS, Atom or RSS 1.0, with Media RSS.
    case feed
    /// A sitemap, or an index of sitemaps, with images.
    case sitemap
    /// A bucket listed with ListObjectsV2.
    case s3
    /// A directory listing of a web server.
    case autoindex
    /// Any XML.
    case xml
    /// HTML: a page as people see it.
    case html

    /// True if this is a list read row by row, however long it is.
    public var isStreamed: Bool {
        switch self {
        case .jsonl, .csv, .tsv, .lines: true
        case .json, .feed, .sitemap, .s3, .autoindex, .xml, .html: false
        }
    }
}
