import Glibc
import Vocabulary

/// The lines of a list that are left out because they are bad (`--skip-bad`), each with its place and its reason.
final class BadLines {
    /// A line that is left out.
    private struct Line {
        var place: String
        var url: String?
        var name: String?
        var reason: String
    }

    /// The file that they are written to; nil for standard error.
    private let file: String?
    private var lines: [Line] = []
    /// The number of further ones, of which nobody has said which they are.
    private var unnamed = 0

    /// Begins without any.
    ///
    /// - Parameter file: The file, which there must be none of; `-` for standard error.
    init(file: String) throws(ClientError) {
        self.file = file == "-" ? nil : file
        guard self.file == nil || access(file, F_OK) != 0 else {
            throw .usage(
                "\(file.safeForTerminal) is there already: give another name for what is left out. Nothing was added."
            )
        }
    }

    /// The number of lines.
    var count: Int { lines.count + unnamed }

    /// Leaves a line out; `url` is nil where it has none.
    func add(_ place: String, url: String?, name: String? = nil, reason: String) {
        lines.append(Line(place: place, url: url, name: name, reason: reason))
    }

    /// Leaves out so many more.
    func add(unnamed count: Int) { unnamed += count }

    /// Writes them down, and says how many of all lines they are.
    ///
    /// What is written to a file is a list again, to be corrected and added: each line comes after a comment with its
    /// reason. Where the file can't be written, they are told all the same, since the others are added by then.
    ///
    /// - Throws: ``ClientError`` where the file can't be written.
    func write(of all: Int) throws {
        guard count > 0 else { return }
        let summary = "Left out \(Quantities.grouped(count)) of \(Quantities.count(all, "line")) as bad"
        guard let file else { return tell(summary) }
        do {
            let kept = try ByteFile(creating: file)
            for line in lines {
                let reason = "# \(line.place.safeForTerminal): \(Self.sentence(line))\n"
                try kept.add(Array((reason + Self.text(line)).utf8))
            }
            try kept.sync()
        } catch {
            tell(summary)
            throw error
        }
        Output.note("\(summary): \(file.safeForTerminal) has the reasons.")
    }

    private func tell(_ summary: String) {
        for line in lines {
            let words = line.url.map { ", \"\($0.safeForTerminal)\"," } ?? ""
            Output.note("\(line.place.safeForTerminal)\(words) is left out: \(Self.sentence(line))")
        }
        Output.note("\(summary).")
    }

    private static func sentence(_ line: Line) -> String { line.reason.safeForTerminal.endedSentence }

    /// The line as lists have it; what would be two is shown as one.
    private static func text(_ line: Line) -> String {
        guard let url = line.url else { return "" }
        let one = url.contains(where: \.isNewline) ? url.safeForTerminal : url
        let name = line.name.map { "\t\"\($0.replacing("\"", with: "\"\""))\"" } ?? ""
        return one + name + "\n"
    }
}
