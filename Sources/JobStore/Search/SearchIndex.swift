import GRDB
import JobCore
import Synchronization

/// The texts of all jobs for ``TextSearch``, where a search would have to read very many rows: kept from the
/// first such search on, or from when somebody looks at a list, who may search it next.
///
/// The writer only notes which jobs are new or have other texts. What reads them is the reader for searches, so the
/// engine waits for nothing here; and as each job that is found is looked at in the store, texts that have changed
/// since then, and jobs that have been forgotten, do no harm.
final class SearchIndex: Sendable {
    /// What the writer has noted.
    private struct Notes {
        /// Whether there is an index that needs them.
        var isKept = false
        /// Whether a task may take them: all jobs have been read, and no other task is about to.
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
        /// The first job that hasn't been read; nil when all have.
        var next: Int64? = 1
        /// The number of texts when all jobs had been read.
        var countAtFirst = 0
        var lastUse = ContinuousClock.now
    }

    private let path: String
    private let notes = Mutex(Notes())
    private let texts = Mutex(Texts())
    /// The task that builds the index, as long as it does.
    let underWay = Mutex(Task<Void, Never>?.none)

    /// How many rows are read without a pause, for which other searches wait.
    private static let slice: Int64 = 20_000
    /// The number of rows that are read without an index.
    static let fewest: Int64 = 20_000
    /// From how many noted jobs on they are taken before the next search.
    private static let many = 4096
    /// How many ranges of jobs are noted at most.
    private static let most = 1 << 18
    /// For how long an index is kept that nobody uses while jobs come.
    private static let patience = Duration.seconds(600)

    /// Creates an index, which takes no memory until it is built.
    init(store path: String) { self.path = path }

    // MARK: The writer

    /// Notes the jobs of a commit that are new or have other texts; returns whether it is time to ``catchUp(_:)``.
    func note(new: [Job], renamed: [JobID]) -> Bool {
        guard !new.isEmpty || !renamed.isEmpty else { return false }
        return notes.withLock { notes in
            guard notes.isKept else { return false }
            for job in new { notes.add(job.id.rawValue) }
            for id in renamed { notes.add(id.rawValue) }
            // What isn't noted can't be found, so the index goes.
            if notes.jobs.count > Self.most { notes = Notes() }
            guard notes.count >= Self.many, notes.mayBeTaken else { return false }
            notes.mayBeTaken = false
            return true
        }
    }

    // MARK: The search reader

    /// Whether all jobs have been read.
    var isBuilt: Bool { texts.withLock { $0.file != nil && $0.next == nil } }

    /// Builds the index unless it is there, however many wait for it; there may be none even then.
    func build(_ reader: DatabaseQueue) async { await building(reader).value }

    /// Begins to build the index unless it is there, for somebody who looks at a list of so many rows; returns
    /// the task that builds it.
    @discardableResult
    func prepare(_ reader: DatabaseQueue, for rows: Int) -> Task<Void, Never>? {
        rows > Self.fewest ? building(reader) : nil
    }

    private func building(_ reader: DatabaseQueue) -> Task<Void, Never> {
        underWay.withLock { underWay in
            if let underWay { return underWay }
            let task = Task.detached {
                if self.begin() {
                    while (try? await reader.read(self.readSlice)) == true {}
                    try? await reader.read(self.catchUp)
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
            guard let file = texts.file, texts.next == nil else { return false }
            texts.lastUse = .now
            return try take(file, &texts, database)
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

    /// Takes what has been noted, so that the next search needn't.
    func catchUp(_ database: Database) throws {
        try texts.withLock { texts in
            guard let file = texts.file, texts.next == nil else { return }
            // Texts that have changed stay in the file, so now and then it is made anew.
            let isFull = file.count > 3 * texts.countAtFirst + 100_000
            guard !isFull, .now - texts.lastUse < Self.patience else { return drop(&texts) }
            if try take(file, &texts, database) { notes.withLock { $0.mayBeTaken = $0.isKept } }
        }
    }

    private func begin() -> Bool {
        texts.withLock { texts in
            texts.lastUse = .now
            guard texts.file == nil, let file = try? TextFile(besideStore: path) else { return false }
            texts = Texts(file: file)
            // From here on, before any job is read.
            notes.withLock { $0 = Notes(isKept: true) }
            return true
        }
    }

    /// Reads the next jobs; returns whether there are more.
    private func readSlice(_ database: Database) throws -> Bool {
        try texts.withLock { texts in
            guard let file = texts.file, let next = texts.next else { return false }
            do {
                let last = try append("id >= ? ORDER BY id LIMIT ?", [next, Self.slice], to: file, database)
                texts.next = last.map { $0 + 1 }
                texts.countAtFirst = file.count
                return last != nil
            } catch {
                drop(&texts)
                throw error
            }
        }
    }

    private func drop(_ texts: inout Texts) {
        texts = Texts()
        notes.withLock { $0 = Notes() }
    }

    /// Reads the jobs that have been noted; returns false if there is no index any more.
    private func take(_ file: TextFile, _ texts: inout Texts, _ database: Database) throws -> Bool {
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
                _ = try append("id BETWEEN ? AND ?", [ids.lowerBound, ids.upperBound], to: file, database)
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

    /// Appends the texts of jobs to the file; returns the last of them.
    private func append(
        _ condition: String,
        _ values: [Int64],
        to file: TextFile,
        _ database: Database
    ) throws -> Int64? {
        let statement = try BoundStatement(
            "SELECT id, name, \(TextSearch.shownURL) FROM jobs WHERE \(condition)",
            database
        )
        for (place, value) in values.enumerated() { try statement.bind(value, at: place + 1) }
        var last: Int64?
        try statement.forEachRow { row in
            let id = row.integer(0)
            try row.withUTF8(1) { name in
                try row.withUTF8(2) { url in try file.append(id, name: name, url: url) }
            }
            last = id
        }
        return last
    }
}
