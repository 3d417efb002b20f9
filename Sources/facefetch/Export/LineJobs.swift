import ExportFormats
import Glibc
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
        guard file >= 0 else { throw ByteFile.failure(path, errno) }
        defer { close(file) }
        var page = Page()
        var rest: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ByteFile.failure(path, errno) }
            rest += piece[..<count]
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n"))
                ?? (count == 0 ? rest.endIndex : nil),
                start < rest.endIndex
            {
                page.add(rest[start..<end])
                start = min(end + 1, rest.endIndex)
                if page.lines >= Self.pageLines || page.bytes.count >= Self.pageBytes {
                    guard try hand(&page, body) else { return nil }
                }
            }
            rest.removeSubrange(..<start)
            guard rest.count <= Self.longestLine else { throw senseless(page.last + 1) }
            if count == 0 { break }
        }
        _ = try hand(&page, body)
        return nil
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
        mutating func add(_ line: ArraySlice<UInt8>) {
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

    private func senseless(_ line: Int) -> ClientError {
        .usage(
            """
            \(path.safeForTerminal) has no jobs as lines of JSON up to line \(line): give it what \
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
