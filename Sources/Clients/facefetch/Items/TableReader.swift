import ControlAPI
import FoundationEssentials
import Glibc
import Vocabulary

/// Reads a table of files by facefetch-lister, which takes strangers' bytes apart in its sandbox.
enum TableReader {
    /// A row of a table.
    struct Row: Decodable {
        var url: String
        var name: String?
        var sha256: String?
        var meta: MetaJSON?
        /// The line at which it begins; nil if the reader doesn't say.
        var line: Int?
    }

    /// The base that the URLs of a table would be relative to, which they may not be: a host that can't be
    /// (RFC 2606 §2).
    static let base = "https://relative.invalid/"

    /// Reads all rows, or says what is wrong with the first of them; with `bad`, those are left out that are bad.
    static func read(
        _ file: String,
        _ kind: TableOptions.Kind,
        _ options: TableOptions,
        meta: [String],
        leavingOut bad: BadLines? = nil
    ) throws(ClientError) -> [Row] {
        let folder = try ScratchFolder()
        let recipe = try folder.write(Array(options.recipe(kind, meta: meta).utf8), to: "recipe.json")
        var page = file
        if file == "-" {
            // The reader wants a file, for it may read it twice.
            page = try folder.write(try TextFile.bytes("-", what: "The list"), to: "table")
        } else if access(file, R_OK) != 0 {
            throw .usage(
                "The list \(file.safeForTerminal) can't be read: \(String(cString: strerror(errno)))."
            )
        }
        let name = file == "-" ? "standard input" : file
        let path = realpath(page, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let run = try ChildRun(
            try OwnProgram.find("facefetch-lister", for: "Tables are read"),
            ["--recipe", recipe, path ?? page],
            output: folder.path("rows"),
            errors: folder.path("errors")
        )
        try complain(run, of: name, leavingOut: bad)
        return try rows(run.output, of: name, leavingOut: bad)
    }

    /// A bad row refuses all, or is left out.
    private static func complain(
        _ run: ChildRun,
        of name: String,
        leavingOut left: BadLines?
    ) throws(ClientError) {
        let prefix = "facefetch-lister: "
        let words = run.errors.split(whereSeparator: \.isNewline).map { line in
            line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : String(line)
        }
        let bad = words.filter { $0.hasPrefix("item ") || $0.hasPrefix("and ") }
        if let left, !bad.isEmpty, bad.count == words.count {
            for line in bad { leave(line, of: name, to: left) }
            return
        }
        guard run.status == 0, bad.isEmpty else {
            let said = (bad.isEmpty ? words : bad).prefix(20).map { line in
                line.replacing("item ", with: "line ", maxReplacements: 1).safeForTerminal.endedSentence
            }
            let all =
                said.isEmpty
                ? "the page reader ended with status \(run.status)." : said.joined(separator: "\n")
            throw .usage(
                "\(name.safeForTerminal): \(all) Nothing was added: correct or remove it, and add again."
            )
        }
    }

    /// Notes a bad row by what the lister says of it: `item 7: no URL`, or `and 12 more`.
    private static func leave(_ words: String, of name: String, to left: BadLines) {
        let parts = words.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return }
        guard parts[0] == "item", let colon = parts[1].firstIndex(of: ":") else {
            return left.add(unnamed: parts[1].split(separator: " ").first.flatMap { Int($0) } ?? 1)
        }
        let reason = parts[1][parts[1].index(after: colon)...].drop { $0 == " " }
        left.add("\(name) line \(parts[1][..<colon])", url: nil, reason: String(reason))
    }

    private static func rows(
        _ bytes: [UInt8],
        of name: String,
        leavingOut bad: BadLines?
    ) throws(ClientError) -> [Row] {
        let decoder = JSONDecoder()
        var rows: [Row] = []
        // The last line is about the table.
        for line in bytes.split(separator: UInt8(ascii: "\n")).dropLast() {
            guard let row = try? decoder.decode(Row.self, from: Data(line)) else {
                throw .unsuccessful(
                    "What facefetch-lister says makes no sense: facefetch and facefetch-lister may be of different versions."
                )
            }
            guard !row.url.hasPrefix(base) else {
                if let bad {
                    let place = name + (row.line.map { " line \($0)" } ?? "")
                    bad.add(
                        place,
                        url: String(row.url.dropFirst(base.count)),
                        reason: JobURL.Refusal.noScheme.message
                    )
                    continue
                }
                throw .usage(
                    """
                    \(name.safeForTerminal): \(row.line.map { "line \($0): " } ?? "")"\(row.url.dropFirst(base.count).description.safeForTerminal)" is not a whole \
                    URL; it must begin with http:// or https://. Nothing was added.
                    """
                )
            }
            rows.append(row)
        }
        guard !rows.isEmpty || bad?.count ?? 0 > 0 else {
            throw .usage("There is nothing to add: the list has no URLs.")
        }
        return rows
    }
}
