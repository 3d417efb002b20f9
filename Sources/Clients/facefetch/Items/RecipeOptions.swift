import ArgumentParser
import Vocabulary

/// The fields of a short recipe, as flags.
struct RecipeOptions: ParsableArguments {
    @Option(help: "The first page.")
    var url: String?

    @Option(
        help: "What the pages are: json, jsonl, csv, tsv, lines, feed, sitemap, s3, autoindex, xml or html."
    )
    var kind: String?

    @Option(help: ArgumentHelp("The items of a page.", valueName: "jq"))
    var items: String?

    @Option(help: ArgumentHelp("The URL of an item's picture.", valueName: "jq"))
    var jobURL: String?

    @Option(help: ArgumentHelp("The next page, or the word link.", valueName: "jq"))
    var next: String?

    @Option(
        help: ArgumentHelp("How long after a walk the next begins, such as 6h, or never.", valueName: "time")
    )
    var every: String?

    /// True if any field but the URL is given.
    var hasMoreThanURL: Bool { [kind, items, jobURL, next, every].contains { $0 != nil } }

    /// The recipe as JSON.
    func recipe() -> String {
        let fields = [
            ("url", url), ("kind", kind), ("items", items), ("next", next), ("every", every),
        ]
        var members = fields.compactMap { name, value in value.map { Self.member(name, JSONString.of($0)) }
        }
        if let jobURL {
            members.append(Self.member("job", "{\(Self.member("url", JSONString.of(jobURL)))}"))
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func member(_ name: String, _ json: String) -> String {
        "\(JSONString.of(name)):\(json)"
    }

    /// The name that a file gives to a recipe that doesn't say its own; nil for standard input.
    static func name(ofFile path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        guard path != "-", let dot = file.lastIndex(of: "."), dot > file.startIndex else {
            return path == "-" || file.isEmpty ? nil : String(file)
        }
        return String(file[..<dot])
    }
}
