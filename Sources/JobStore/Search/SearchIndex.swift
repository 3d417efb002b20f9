import GRDB
import Glibc
import JobModel
import Synchronization
import Vocabulary

/// The texts of all jobs for ``TextSearch``, where a search would have to read very many rows: kept from the
/// first such search on, or from when somebody looks at a list, who may search it next.
///
/// The writer only notes which jobs are new or have other texts. What reads them is the reader for searches, and
/// another one from the other end while the index is built, so the engine waits for nothing here; and as each job
/// that is found is looked at in the store, texts that have changed since then, and jobs that have been forgotten,
/// do no harm.
final class SearchIndex: Sendable {
    /// The writer's notes.
    private struct Notes {
        /// True if there is an index that needs them.
        var isKept = false
        /// True if a task may take them: all jobs have been read, and no other task is about to take them.
        var mayBeTaken = false
        /// Jobs whose texts aren't in the index.
        var jobs: [ClosedRange<Int64>] = []
        /// The number of those jobs.
        var count = 0

        mutating func add(_ id: Int64) {
            count += 1
            if let last = jobs.last, id == last.upperBound + 1 {
                jobs[jobs.count - 1] = last.lowerBound...id
            } else if jobs.last?.contains(id) != true {
                jobs.append(id...id)
            }
        }
    }

    /// The index, of which the search reader alone reads.
    private struct Texts {
        var file: TextFile?
        /// The ids of jobs that haven't been read; nil when all have.
        var unread: ClosedRange<Int64>? = 1...Int64.max
        /// The number of texts when all jobs had been read.
        var countAtFirst = 0
        var lastUse = ContinuousClock.now
    }

    private let path: String
    private let reader: SerialReader
    private let second: SerialReader
    private let notes = Mutex(Notes())
    private let texts = Mutex(Texts())
    /// The task that builds the index, as long as it does.
    let underWay = Mutex(Task<Void, Never>?.none)

    /// The end of the jobs from which a reader reads.
    private enum End { case oldest, newest }

    /// The number of rows read without a pause, for which other searches wait.
    private static let slice: Int64 = 10_000
    /// The number of rows that are read without an index.
    static let fewest: Int64 = 20_000
    /// The number of noted jobs from which on they are read before the next search.
    private static let many = 4096
    /// The largest number of ranges of jobs noted.
    private static let most = 1 << 18
    /// The time for which an index is kept that nobody uses while jobs come.
    private static let patience = Duration.seconds(600)

    /// Creates an index, which takes no memory until it is built.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - reader: The reader for searches.
    ///   - second: A reader that reads from the other end while the index is built.
    init(store path: String, reader: SerialReader, second: SerialReader) {
        (self.path, self.reader, self.second) = (path, reader, second)
    }

    // MARK: The writer

    /// Notes the jobs of a commit that are new or have other texts; returns whether it is time to ``catchUp(_:)``.
    func note(new: [Job], renamed: [JobID]) -> Bool {
        guard !new.isEmpty || !renamed.isEmpty else { return false }
        return notes.withLock { notes in
            guard notes.isKept else { return false }
            for job in new { notes.add(job.id.rawValue) }
            for id in renamed { notes.add(id.rawValue) }
            // Jobs that aren't noted can't be found, so the index is dropped.
            if notes.jobs.count > Self.most { notes = Notes() }
            guard notes.count >= Self.many, notes.mayBeTaken else { return false }
            notes.mayBeTaken = false
            return true
        }
    }

    // MARK: The search reader

    /// True if all jobs have been read.
    var isBuilt: Bool { texts.withLock { $0.file != nil && $0.unread == nil } }

    /// Builds the index unless it is there, however many wait for it; there may be none even then.
    func build() async { await begin().value }

    /// Begins to build the index unless it is there, for somebody who looks at a list of so many rows.
    func prepare(for rows: Int) { if rows > Self.fewest { begin() } }

    /// Begins to build the index unless it is there; returns the task that builds it.
    @discardableResult
    func begin() -> Task<Void, Never> {
        underWay.withLock { underWay in
            if let underWay { return underWay }
            let task = Task.detached { [self] in
                if create() {
                    async let others: Void = readAll(second, from: .newest)
                    await readAll(reader, from: .oldest)
                    await others
                    dropUnlessBuilt()
                    try? await reader.read(catchUp)
                }
                self.underWay.withLock { $0 = nil }
            }
            underWay = task
            return task
        }
    }

    /// Brings the index up to date; returns whether there is one.
    ///
    /// - Parameter database: A transaction that has read nothing yet, so that it sees all that has been noted.
    func isReady(_ database: Database) throws -> Bool {
        try texts.withLock { texts in
            guard let file = texts.file, texts.unread == nil else { return false }
            texts.lastUse = .now
            return try readNoted(file, &texts, database)
        }
    }

    /// Returns the jobs that may contain a text; nil if the index can't be read.
    func jobs(containing text: String) -> JobBitmap? {
        texts.withLock { texts in
            if let jobs = try? texts.file?.jobs(containing: text) { return jobs }
            drop(&texts)
            return nil
        }
    }

    /// Returns the jobs that may have a URL with one of these hashes (``TextFile/hash(ofURL:)``); nil if the index
    /// can't be read.
    func jobs(withURLs hashes: Set<UInt64>) -> JobBitmap? {
        texts.withLock { texts in
            if let jobs = try? texts.file?.jobs(withURLs: hashes) { return jobs }
            drop(&texts)
            return nil
        }
    }

    /// Reads the noted jobs, so that the next search needn't.
    func catchUp(_ database: Database) throws {
        try texts.withLock { texts in
            guard let file = texts.file, texts.unread == nil else { return }
            // Texts that have changed stay in the file, so now and then it is made anew.
            let isFull = file.count > 3 * texts.countAtFirst + 100_000
            guard !isFull, .now - texts.lastUse < Self.patience else { return drop(&texts) }
            if try readNoted(file, &texts, database) { notes.withLock { $0.mayBeTaken = $0.isKept } }
        }
    }

    private func create() -> Bool {
        texts.withLock { texts in
            texts.lastUse = .now
            guard texts.file == nil, let file = try? TextFile(besideStore: path) else { return false }
            texts = Texts(file: file)
            // From here on, before any job is read.
            notes.withLock { $0 = Notes(isKept: true) }
            return true
        }
    }

    private func readAll(_ reader: SerialReader, from end: End) async {
        while (try? await reader.read({ try self.readSlice($0, from: end) })) == true {}
    }

    /// Reads the next jobs from an end; returns whether there are more.
    ///
    /// Two readers may read the same jobs where they meet, which does no harm.
    private func readSlice(_ database: Database, from end: End) throws -> Bool {
        let (found, range) = texts.withLock { ($0.file, $0.unread) }
        guard let file = found, let range else { return false }
        do {
            let last = try Self.read(range, from: end, into: file, database)
            return texts.withLock { texts in
                // It has been given up, or the other reader has come here meanwhile.
                guard texts.file === file, let unread = texts.unread else { return false }
                texts.unread = last.flatMap { Self.rest(of: unread, behind: $0, from: end) }
                texts.countAtFirst = file.count
                return texts.unread != nil
            }
        } catch {
            // If the other reader has come to the end, nothing is missing.
            texts.withLock { if $0.file === file, $0.unread != nil { drop(&$0) } }
            throw error
        }
    }

    private static func rest(
        of range: ClosedRange<Int64>,
        behind last: Int64,
        from end: End
    ) -> ClosedRange<Int64>? {
        switch end {
        case .oldest: last < range.upperBound ? max(range.lowerBound, last + 1)...range.upperBound : nil
        case .newest: last > range.lowerBound ? range.lowerBound...min(range.upperBound, last - 1) : nil
        }
    }

    /// Drops the index if neither reader could read all jobs, so that another search begins anew.
    private func dropUnlessBuilt() { texts.withLock { if $0.unread != nil { drop(&$0) } } }

    private func drop(_ texts: inout Texts) {
        texts = Texts()
        notes.withLock { $0 = Notes() }
    }

    /// Reads the jobs that have been noted; returns false if there is no index any more.
    private func readNoted(_ file: TextFile, _ texts: inout Texts, _ database: Database) throws -> Bool {
        let noted: [ClosedRange<Int64>]? = notes.withLock { notes in
            defer { (notes.jobs, notes.count) = ([], 0) }
            return notes.isKept ? notes.jobs : nil
        }
        guard let noted else {
            drop(&texts)
            return false
        }
        do {
            for ids in noted {
                var rest: ClosedRange<Int64>? = ids
                while let range = rest {
                    let last = try Self.read(range, from: .oldest, into: file, database)
                    rest = last.flatMap { Self.rest(of: range, behind: $0, from: .oldest) }
                }
            }
            return true
        } catch is TextFile.Failure {
            drop(&texts)
            return false
        } catch {
            drop(&texts)
            throw error
        }
    }

    /// Reads the next jobs of a range from an end into a file; returns the last of them.
    private static func read(
        _ range: ClosedRange<Int64>,
        from end: End,
        into file: TextFile,
        _ database: Database
    ) throws -> Int64? {
        let statement = try BoundStatement(
            """
            SELECT id, name, url FROM jobs WHERE id BETWEEN ? AND ?
            ORDER BY id \(end == .oldest ? "ASC" : "DESC") LIMIT ?
            """,
            database
        )
        for (place, value) in [range.lowerBound, range.upperBound, slice].enumerated() {
            try statement.bind(value, at: place + 1)
        }
        var lines = TextFile.Lines()
        var last: Int64?
        try statement.forEachRow { row in
            let id = row.integer(0)
            row.withUTF8(1) { name in
                row.withUTF8(2) { url in
                    // The same as TextSearch.shownURL, by which SQL would take a third longer.
                    guard let begin = url.baseAddress,
                        memchr(begin, CInt(UInt8(ascii: "@")), url.count) != nil
                    else {
                        return lines.append(id, name: name, url: url)
                    }
                    var masked = TextSearch.masked(String(decoding: url, as: UTF8.self)) ?? ""
                    masked.withUTF8 { lines.append(id, name: name, url: $0) }
                }
            }
            last = id
            if lines.areMany { try file.append(&lines) }
        }
        try file.append(&lines)
        return last
    }
}
