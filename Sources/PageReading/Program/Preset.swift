/// What a kind of page has by itself, in the words of recipes.
struct Preset {
    /// How the bytes are read.
    enum Reader {
        case json, jsonLines, rows, lines, feed, sitemap, bucket
    }

    let reader: Reader
    var items = "."
    var select = "true"
    var url = ".url"
    /// What an item is known by; nil is its URL.
    var key: String?
    /// What stands between the fields of rows.
    var delimiter = UInt8(ascii: ",")

    /// What a kind has; nil for a kind that there isn't.
    init?(_ kind: String) {
        switch kind {
        case "json":
            reader = .json
            items = "error(\"there is no expression for items\")"
        case "autoindex":
            // nginx, autoindex_format json: [{name, type, mtime, size}].
            reader = .json
            items = ".[] | select(.type == \"file\")"
            url = ".name | @uri"
        case "jsonl": reader = .jsonLines
        case "csv", "tsv":
            reader = .rows
            url = "if type == \"array\" then .[0] else with_entries(.key |= ascii_downcase).url end"
            if kind == "tsv" { delimiter = UInt8(ascii: "\t") }
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

    /// Whether it is read row by row.
    var isStreamed: Bool {
        switch reader {
        case .jsonLines, .rows, .lines: true
        case .json, .feed, .sitemap, .bucket: false
        }
    }
}
