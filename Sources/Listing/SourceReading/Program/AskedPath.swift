import SourceCore

/// A path for which a recipe plainly asks in each item, and whether any item of a page has it.
struct AskedPath {
    private let field: String
    private let path: String
    /// The number of items that were looked at, and of those that lack it.
    private var seen = 0
    private var lacking = 0
    /// The place where the path ends in the first item, and the beginning of that.
    private var lack: (message: String, excerpt: String)?

    /// The paths of a program: what `select` compares with a constant, and fields of jobs that are a path
    /// and nothing else.
    static func all(of program: ListerProgram) -> [AskedPath] {
        var all = [AskedPath("select", program.select.flatMap(MissingPath.compared))]
        if !program.isManifest {
            let fields = [
                ("job.name", program.name), ("job.folder", program.folder),
                ("job.sha256", program.sha256), ("job.priority", program.priority),
                ("job.meta", program.meta),
            ]
            all += fields.map { field, path in
                AskedPath(field, path.flatMap { MissingPath.isWhole($0) ? $0 : nil })
            }
        }
        return all.compactMap(\.self)
    }

    private init?(_ field: String, _ path: String?) {
        guard let path, path != "." else { return nil }
        (self.field, self.path) = (field, path)
    }

    /// True if it is asked of wanted items; `select` is of those that it leaves out.
    var isOfWanted: Bool { field != "select" }

    /// Looks whether an item has it, unless another has.
    mutating func look(in item: Value) {
        guard lacking == seen else { return }
        seen += 1
        guard let missing = MissingPath.find(path, in: item) else { return }
        lacking += 1
        if lack == nil { lack = (missing, Excerpt.of(item.json.utf8)) }
    }

    /// Returns the failure of a page with so many items, if no item has it.
    func failure(of listed: Int) -> ListerFailure? {
        guard let lack, lacking == seen, field != "select" || seen == listed else { return nil }
        let advice = field == "select" ? "" : "; write \(path)? if it may be missing"
        return ListerFailure(
            "unexpected_shape",
            "\(field): no item has what it asks for: \(lack.message)\(advice)",
            excerpt: lack.excerpt
        )
    }
}
