/// The defaults of a kind of page, as a recipe would write them.
struct Preset {
    /// The format of the bytes.
    enum Reader {
        case json, jsonLines, rows, lines, feed, sitemap, bucket, xml, html
    }

    let reader: Reader
    var items = "."
    var select = "true"
    var url = ".url"
    /// The item's key; nil for its URL.
    var key: String?
    /// The delimiter of rows.
    var delimiter = UInt8(ascii: ",")
    /// True if fields of rows may be in quotes.
    var hasQuotes = true

    /// Creates the defaults of a kind; nil if there is no such kind.
    init?(_ kind: String) {
        switch kind {
        case "json":
            reader = .json
            items = "error(\"there is no expression for items\")"
        case "xml":
            reader = .xml
            items = "error(\"there is no expression for items\")"
        case "html":
            reader = .html
            items = ".images[]"
        case "autoindex":
            // The format of nginx with autoindex_format json, [{name, type, mtime, size}], and that of Caddy,
            // [{name, size, url, mod_time, mode, is_dir, is_symlink}].
            reader = .json
            items = """
                .[] | if type == "object" and (has("type") or has("is_dir")) \
                then select(.type == "file" or .is_dir == false) \
                else error("this is no listing of nginx or Caddy: an entry has neither type nor is_dir") end
                """
            url = ".name | @uri"
        case "jsonl":
            reader = .jsonLines
            url = """
                if type == "object" and (has("url") | not) then with_entries(.key |= ascii_downcase).url \
                else .url end
                """
        case "csv", "tsv":
            reader = .rows
            url = "if type == \"array\" then .[0] else with_entries(.key |= ascii_downcase).url end"
            // In the registered form of tsv nothing is quoted (IANA, text/tab-separated-values).
            if kind == "tsv" { (delimiter, hasQuotes) = (UInt8(ascii: "\t"), false) }
        case "lines":
            reader = .lines
            url = "."
        case "feed":
            reader = .feed
            items = ".items[]"
            select = ".image != null"
            url = ".image"
            key = ".id // .image"
        case "sitemap":
            reader = .sitemap
            items = ".urls[] | . as $__page | .images[] | . + {page: $__page.loc, lastmod: $__page.lastmod}"
            url = ".loc"
        case "s3":
            reader = .bucket
            items = ".objects[]"
            key = ".key + \"@\" + .etag"
        default: return nil
        }
    }

    /// True if pages are read row by row.
    var isStreamed: Bool {
        switch reader {
        case .jsonLines, .rows, .lines: true
        case .json, .feed, .sitemap, .bucket, .xml, .html: false
        }
    }
}
