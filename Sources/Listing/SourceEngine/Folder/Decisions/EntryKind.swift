/// The kind of a file in the folder, by its name.
enum EntryKind: Hashable, Sendable {
    /// A list of URLs, of one of the kinds that listers read row by row.
    case list(String)
    /// A recipe of a source.
    case recipe

    /// The suffixes of files that somebody is still writing, or that are done.
    private static let others: Set<String> = [
        "part", "partial", "tmp", "temp", "filepart", "crdownload", "download", "swp", "added",
    ]

    /// Returns what a file is; nil for one to leave alone.
    ///
    /// As for `facefetch add --from`, what isn't called a table is a list with a URL on each line.
    init?(_ name: EntryName) {
        let suffixes = name.suffixes
        guard !name.hasPrefix("."), name.bytes.last != UInt8(ascii: "~"),
            !Self.others.contains(suffixes.first ?? "")
        else { return nil }
        switch suffixes.first {
        case "yaml", "yml": self = .recipe
        default:
            let suffix = suffixes.first == "gz" ? suffixes.dropFirst().first : suffixes.first
            let isTable = ["csv", "tsv", "jsonl"].contains(suffix ?? "")
            self = .list(isTable ? suffix ?? "lines" : "lines")
        }
    }
}
