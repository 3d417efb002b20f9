import ArgumentParser
import Vocabulary

/// Options for reading a table that lists files.
struct TableOptions: ParsableArguments {
    /// The kinds of table.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case csv, tsv, jsonl
    }

    @Option(
        help: ArgumentHelp(
            "The kind of table that the list is: csv, tsv or jsonl; by default what its name says.",
            valueName: "kind"
        )
    )
    var format: Kind?

    @Option(help: ArgumentHelp("The column with the URLs of a table.", valueName: "name"))
    var urlColumn: String?

    @Option(help: ArgumentHelp("The column with the names of documents.", valueName: "name"))
    var nameColumn: String?

    @Option(help: ArgumentHelp("The column with the SHA-256 that documents must have.", valueName: "name"))
    var sha256Column: String?

    /// The kind of table that a list is; nil for one with a URL on each line.
    ///
    /// - Throws: ``ClientError`` where columns are named of what has none.
    func kind(of file: String) throws(ClientError) -> Kind? {
        if let format { return format }
        let name = file.lowercased()
        let base = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
        if let kind = Kind.allCases.first(where: { base.hasSuffix("." + $0.rawValue) }) { return kind }
        let columns = [urlColumn, nameColumn, sha256Column]
        guard columns.allSatisfy({ $0 == nil }) else {
            throw .usage("Columns are of tables: say with --format which kind of table the list is.")
        }
        return nil
    }

    /// The recipe by which the page reader reads the table.
    func recipe(_ kind: Kind, meta: [String]) -> String {
        var job: [String] = []
        // A row of JSON Lines has what it has, and an empty text is one.
        let isObject = kind == .jsonl
        if let urlColumn { job.append(member("url", column(urlColumn) + Self.noText)) }
        if let nameColumn {
            job.append(member("name", column(nameColumn, isOptional: isObject) + Self.noText))
        }
        if let sha256Column {
            job.append(member("sha256", column(sha256Column, isOptional: isObject) + Self.noText))
        }
        if !meta.isEmpty {
            let members = meta.map { name in
                "\(quoted(name)): (\(column(name, isOptional: isObject))\(isObject ? "" : Self.noText))"
            }
            job.append(member("meta", "{\(members.joined(separator: ", "))}"))
        }
        let jobs = job.isEmpty ? "" : ",\"job\":{\(job.joined(separator: ","))}"
        return "{\"name\":\"table\",\"kind\":\"\(kind.rawValue)\",\"url\":\"\(TableReader.base)\"\(jobs)}"
    }

    /// An expression for a column in which an empty field means none.
    private static let noText = " | if . == \"\" then null else . end"

    /// The value of a column; its name is taken in any case, as people write tables.
    ///
    /// - Parameter isOptional: whether a row may be without it, for which it is null.
    private func column(_ name: String, isOptional: Bool = false) -> String {
        "(. as $row | ([keys[] | select(ascii_downcase == (\(quoted(name)) | ascii_downcase))][0]) as $key | if $key == null "
            + "then \(isOptional ? "null" : "error(\"there is no column \" + \(quoted(name)))") else $row[$key] end)"
    }

    private func quoted(_ text: String) -> String { JSONString.of(text) }

    private func member(_ name: String, _ jq: String) -> String { "\"\(name)\":\(JSONString.of(jq))" }
}
