/// Reading what says how the text of pages is to be read.
extension Recipe {
    /// Reads the kind of the pages; a word that others have for one leads to it.
    static func readKind(_ reader: inout RecipeReader) -> PageKind? {
        guard case .text(let word)? = reader.value("kind"), PageKind(rawValue: word) == nil else {
            return reader.word("kind", PageKind.self)
        }
        guard let meant = PageKind(meantBy: word) else { return reader.word("kind", PageKind.self) }
        reader.problem("kind", "there is no kind \(word); what you mean may be \(meant.rawValue)")
        return nil
    }

    /// Reads the format of rows, and the encoding of the pages.
    mutating func readTable(_ reader: inout RecipeReader) {
        if reader.value("delimiter") == .text("\\t") {
            reader.problem(
                "delimiter",
                "this is a backslash and a t; for a tab, write \"\\t\" in double quotes"
            )
        } else {
            table.delimiter = reader.parsed("delimiter", "one ASCII character, no quote or line ending") {
                text in
                guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x80,
                    ![0x22, 0x0A, 0x0D, 0].contains(byte)
                else { return nil }
                return byte
            }
        }
        table.hasHeader = reader.bool("header") ?? true
        table.quote = reader.word("quote", QuoteRule.self)
        table.encoding = reader.parsed("encoding", "an encoding such as utf-8, windows-1251 or shift_jis") {
            TextEncoding(label: $0)
        }
        let isTable = kind == .csv || kind == .tsv
        for name in ["delimiter", "header", "quote"] where reader.has(name) && !isTable {
            reader.problem(name, "only kinds csv and tsv have this")
        }
        namespaces = reader.bool("namespaces") ?? false
        if reader.has("namespaces"), kind != .xml { reader.problem("namespaces", "only kind xml has this") }
        if reader.has("encoding"), kind == .s3 { reader.problem("encoding", "kind s3 is always utf-8") }
    }
}

extension PageKind {
    /// Finds the kind that somebody means by another word; nil if there is none.
    init?(meantBy word: String) {
        switch word.lowercased() {
        case "rss", "atom", "xml-feed", "media-rss", "mrss", "podcast": self = .feed
        case "ndjson", "jsonlines", "json-lines", "json_lines", "ldjson": self = .jsonl
        case "txt", "text", "urls", "list", "line": self = .lines
        case "tab", "tabs": self = .tsv
        case "excel", "xls", "table": self = .csv
        case "bucket", "aws", "minio": self = .s3
        case "htm", "xhtml", "web", "website", "webpage", "gallery", "apache": self = .html
        case "sitemap-index", "sitemapindex", "sitemaps": self = .sitemap
        default: return nil
        }
    }
}
