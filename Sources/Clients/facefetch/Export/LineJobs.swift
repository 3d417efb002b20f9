import ExportFormats
import Glibc
import SmallFiles
import Vocabulary

/// Jobs that a file has, a line of JSON each, as `facefetch-fleet export --format jsonl` writes them.
struct LineJobs: ExportedJobs {
    /// The file; `-` for standard input.
    let path: String
    /// Where documents are that have other addresses than paths.
    var places: [DocumentMapping] = []
    /// Whether jobs that didn't get done are among them.
    var hasEveryJob = true

    let begin: Int64 = 0
    let isOfAll = true

    /// The most lines of a page, and the bytes that make one.
    private static let (pageLines, pageBytes) = (1000, 4 << 20)
    /// The longest line.
    private static let longestLine = 64 << 20

    func forEachPage(
        after: Int64,
        isAhead: Bool,
        _ body: (ExportedPage, ArraySlice<ExportedPage.Item>) throws -> Bool
    ) throws -> Int64? {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(.system(errno)) }
        defer { close(file) }
        var page = Page()
        var pieces = Pieces(file, ofAtMost: 1 << 20)
        // The beginning of a line whose end hasn't come.
        var line: [UInt8] = []
        while let piece = try piece(&pieces) {
            var rest = piece
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                page.add(line + rest[..<end])
                line = []
                rest = rest[(end + 1)...]
                if page.lines >= Self.pageLines || page.bytes.count >= Self.pageBytes {
                    guard try hand(&page, body) else { return nil }
                }
            }
            line += rest
            guard line.count <= Self.longestLine else { throw senseless(page.last + 1) }
        }
        if !line.isEmpty { page.add(line) }
        _ = try hand(&page, body)
        return nil
    }

    private func piece(_ pieces: inout Pieces) throws -> ArraySlice<UInt8>? {
        do throws(FileFailure) { return try pieces.next() } catch { throw unreadable(error) }
    }

    /// Each job was chosen by who wrote the file.
    func refuseStrangers() throws {}

    /// The lines of a page, as JSON.
    private struct Page {
        /// Their objects, with commas between.
        var bytes: [UInt8] = []
        /// How many there are, and the number of the last.
        var (lines, last) = (0, 0)

        /// Adds a line, unless it is empty.
        mutating func add(_ line: [UInt8]) {
            last += 1
            guard line.contains(where: { $0 > 0x20 }) else { return }
            if lines > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += line
            lines += 1
        }
    }

    /// Hands a page out, and begins another.
    private func hand(
        _ page: inout Page,
        _ body: (ExportedPage, ArraySlice<ExportedPage.Item>) throws -> Bool
    ) throws -> Bool {
        defer { (page.bytes, page.lines) = ([], 0) }
        let read: ExportedPage
        do throws(NoJob) {
            read = try ExportedPage(Array("{\"items\":[".utf8) + page.bytes + Array("]}".utf8))
        } catch {
            throw senseless(page.last)
        }
        guard read.items.count == page.lines else { throw senseless(page.last) }
        let items = read.items.compactMap { item -> ExportedPage.Item? in
            guard hasEveryJob || item.job.state == "done" else { return nil }
            var item = item
            item.job.path = item.job.path.map { path in
                places.lazy.compactMap { $0.path(of: path) }.first ?? path
            }
            return item
        }
        return try body(read, items[...])
    }

    /// The file as a sentence begins with it.
    private var subject: String { path == "-" ? "Standard input" : path.safeForTerminal }

    private func unreadable(_ failure: FileFailure) -> ClientError {
        .usage("\(subject) can't be read: \(failure).")
    }

    private func senseless(_ line: Int) -> ClientError {
        .usage(
            """
            \(subject) has no jobs as lines of JSON up to line \(line): give it what \
            "facefetch-fleet export --format jsonl" writes.
            """
        )
    }
}

/// A folder that has documents with other addresses than their paths, as a fleet records them.
struct DocumentMapping: Hashable {
    /// What their addresses begin with, such as `s3://pictures/`.
    let prefix: String
    /// The folder, with a slash at its end.
    let folder: String

    /// Reads what `--at` has; nil if it isn't like `s3://pictures/=/mnt/pictures`.
    init?(argument: String) {
        guard let equals = argument.lastIndex(of: "=") else { return nil }
        let (prefix, folder) = (argument[..<equals], argument[argument.index(after: equals)...])
        guard prefix.contains("/"), folder.hasPrefix("/") else { return nil }
        self.prefix = String(prefix)
        self.folder = folder.hasSuffix("/") ? String(folder) : folder + "/"
    }

    /// Returns the path of a document with an address; nil if the folder hasn't got it.
    func path(of address: String) -> String? {
        guard address.hasPrefix(prefix) else { return nil }
        let rest = address.dropFirst(prefix.count).drop { $0 == "/" }
        // Paths in URIs are percent-encoded; keys of a bucket, and paths, aren't.
        let name = prefix.hasPrefix("file://") ? PercentEncoding.decode(rest) : String(rest)
        guard !name.split(separator: "/").contains("..") else { return nil }
        return folder + name
    }
}
