/// What the pages of a source are.
public enum PageKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// JSON.
    case json
    /// A JSON value a line.
    case jsonl
    /// Rows with commas between their fields (RFC 4180).
    case csv
    /// Rows with tabs between their fields.
    case tsv
    /// A URL a line.
    case lines
    /// RSS, Atom or RSS 1.0, with Media RSS.
    case feed
    /// A sitemap, or an index of sitemaps, with images.
    case sitemap
    /// A bucket, listed by ListObjectsV2.
    case s3
    /// A folder as web servers list it.
    case autoindex

    /// Whether it is a list that is read row by row, however long it is.
    public var isStreamed: Bool {
        switch self {
        case .jsonl, .csv, .tsv, .lines: true
        case .json, .feed, .sitemap, .s3, .autoindex: false
        }
    }
}
