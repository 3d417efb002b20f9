import CPages
import SourceCore

/// The columns for which a recipe plainly asks, such as `.link`: without them no row could be read.
struct AskedColumns {
    let program: ListerProgram

    /// Checks a table's header.
    func check(_ columns: [String]) throws(ListerFailure) {
        // Other items than the rows themselves may have other members.
        guard program.items == nil else { return }
        if program.url == nil, !columns.contains(where: { $0.lowercased() == "url" }) {
            throw failure("job.url", "url", columns)
        }
        let asked = [
            ("job.url", program.url.flatMap(MissingPath.member)),
            ("job.key", program.key.flatMap(MissingPath.member)),
            ("job.name", program.name.flatMap(MissingPath.member)),
            ("job.folder", program.folder.flatMap(MissingPath.member)),
            ("job.sha256", program.sha256.flatMap(MissingPath.member)),
            ("job.priority", program.priority.flatMap(MissingPath.member)),
            ("select", program.select.flatMap(MissingPath.compared).flatMap(MissingPath.member)),
        ]
        for (field, name) in asked {
            if let name, !columns.contains(name) { throw failure(field, name, columns) }
        }
    }

    private func failure(_ field: String, _ name: String, _ columns: [String]) -> ListerFailure {
        let names = columns.prefix(10).map { $0.prefix(40) }.joined(separator: ", ")
        let advice =
            columns.contains { $0.contains("://") }
            ? "; set header: false if the first row doesn't name the columns"
            : columns.contains { $0.count > 1 && $0.hasPrefix("\"") && $0.hasSuffix("\"") }
                ? "; set quote: double if fields are in quotes" : ""
        return ListerFailure(
            "unexpected_shape",
            "\(field): there is no column \(name), only \(names)\(advice)",
            excerpt: Excerpt.of(columns.joined(separator: ",").utf8)
        )
    }
}
