import GRDB
import Glibc
import JobCore
import JobModel
import Vocabulary

/// Reads a few words of each job that waits, when the engine starts, and queues it.
///
/// Neighbours are mostly alike, so texts are made only where they change, and those that are alike are queued
/// together. Rows are found by the index of states, but the state that counts is the row's own, in case they
/// disagree.
struct WaitingRows {
    let database: Database

    /// The most jobs that are queued together.
    private static let longestRun = 65_536

    /// Queues the jobs that wait for a permit.
    func queue(into transfers: inout TransferQueue) throws {
        var alike = AlikeRows()
        var run: ClosedRange<JobID>?
        func end() {
            guard let jobs = run else { return }
            transfers.enqueue(
                jobs,
                host: alike.host,
                priority: alike.priority,
                of: alike.flow,
                weight: alike.weight
            )
        }
        try rows(in: .queued, "row.host").forEachRow { row in
            guard row.holds(2, AlikeRows.queued) else { throw JobStore.disagreement }
            let job = JobID(rawValue: row.integer(0))
            if let jobs = run, jobs.upperBound.rawValue + 1 == job.rawValue, alike.includes(row, host: 7) {
                run = jobs.lowerBound...job
                return
            }
            end()
            alike.update(from: row, host: 7)
            run = job...job
        }
        end()
    }

    /// Queues the documents that wait to be looked at; returns the jobs that can't be queued by a few words, because
    /// something else is to be done first.
    func queueDocuments(into waiting: inout WaitingJobs) throws -> [JobID] {
        var others: [JobID] = []
        var alike = AlikeRows()
        var run: ClosedRange<JobID>?
        var marks: [DetectionGate.Mark?] = []
        func end() {
            guard let jobs = run else { return }
            waiting.documents.enqueue(
                jobs,
                marks: marks,
                priority: alike.priority,
                of: alike.flow,
                weight: alike.weight
            )
            run = nil
            marks.removeAll(keepingCapacity: true)
        }
        let columns =
            "row.path, row.sha256, row.reserved_name, row.detection_deferred, row.detection_attempts, "
            + "row.detection_demand"
        try rows(in: .stored, columns).forEachRow { row in
            guard row.holds(2, AlikeRows.stored) else { throw JobStore.disagreement }
            let job = JobID(rawValue: row.integer(0))
            // Without a path it is broken; without a hash it is to be hashed; a reserved name is to be dealt with.
            guard !row.isEmptyText(7), !row.isEmptyText(8), row.isNull(9) else { return others.append(job) }
            if row.integer(10) == 0 { waiting.untold.append(job) }
            let isDemanded = row.text(12).flatMap(DetectionDemand.init(word:)) != nil
            let mark = isDemanded ? nil : row.withUTF8(8) { DetectionGate.mark(ofSHA256: $0) }
            if row.integer(11) > 0 {
                end()
                alike.update(from: row)
                return waiting.documents.enqueue(
                    job,
                    mark: mark,
                    alone: true,
                    priority: alike.priority,
                    of: alike.flow,
                    weight: alike.weight
                )
            }
            if let jobs = run, jobs.upperBound.rawValue + 1 == job.rawValue, marks.count < Self.longestRun,
                alike.includes(row)
            {
                run = jobs.lowerBound...job
            } else {
                end()
                alike.update(from: row)
                run = job...job
            }
            marks.append(mark)
        }
        end()
        return others
    }

    private func rows(in state: JobState, _ columns: String) throws -> BoundStatement {
        try BoundStatement(
            """
            SELECT row.id, row.batch, row.state, row.priority, row.source, row.is_evictable, row.weight, \(columns)
            FROM jobs AS listed
            CROSS JOIN jobs AS row NOT INDEXED ON row.id = listed.id
            WHERE listed.state = '\(state.rawValue)' ORDER BY listed.id
            """,
            database
        )
    }
}

/// The common values of rows that follow each other.
private struct AlikeRows {
    static let queued = Array(JobState.queued.rawValue.utf8)
    static let stored = Array(JobState.stored.rawValue.utf8)

    private(set) var flow = Flow.batch(BatchID(rawValue: 0))
    private(set) var weight = 1
    private(set) var priority = 0
    private(set) var host = ""
    private var numbers: (batch: Int64, priority: Int64, isEvictable: Int64, weight: Int64) = (0, 0, 0, 0)
    private var hostBytes: [UInt8] = []
    /// Nil where there is no source.
    private var source: [UInt8]?

    /// Returns whether another row has the same; `place` is that of its host, if it counts.
    func includes(_ row: StoredRow, host place: Int? = nil) -> Bool {
        guard Self.numbers(row) == numbers else { return false }
        if let source {
            if row.isNull(4) || !row.holds(4, source) { return false }
        } else if !row.isNull(4) {
            return false
        }
        return place.map { row.holds($0, hostBytes) } ?? true
    }

    /// Takes over the values of a row.
    mutating func update(from row: StoredRow, host place: Int? = nil) {
        numbers = Self.numbers(row)
        priority = Int(min(max(numbers.priority, -100), 100))
        weight = JobColumn.weight(stored: numbers.weight)
        if let place, !row.holds(place, hostBytes) {
            host = row.text(place) ?? ""
            hostBytes = Array(host.utf8)
        }
        let name = row.text(4)
        source = name.map { Array($0.utf8) }
        flow = JobOptions(source: name, isEvictable: numbers.isEvictable != 0).flow(
            in: BatchID(rawValue: numbers.batch)
        )
    }

    private static func numbers(_ row: StoredRow) -> (Int64, Int64, Int64, Int64) {
        (row.integer(1), row.integer(3), row.integer(5), row.integer(6))
    }
}

extension StoredRow {
    /// Returns whether a text is NULL or empty.
    fileprivate func isEmptyText(_ place: Int) -> Bool { withUTF8(place) { $0.isEmpty } }

    /// Returns whether a text has just these bytes.
    fileprivate func holds(_ place: Int, _ bytes: [UInt8]) -> Bool {
        withUTF8(place) { text in
            guard text.count == bytes.count else { return false }
            guard let base = text.baseAddress else { return true }
            return bytes.withUnsafeBytes { other in
                other.baseAddress.map { memcmp(base, $0, text.count) == 0 } ?? true
            }
        }
    }
}
