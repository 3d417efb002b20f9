import GRDB
import JobModel

/// Checks the stored numbers of jobs against the jobs' rows, and corrects those that differ.
///
/// If all agree, this reads each number and the index of states, which takes a tenth of a second for a
/// million jobs; only a disagreement costs a look at every job.
struct Recount {
    let database: Database

    /// Counts all jobs by the state in their rows.
    func countedStates() throws -> [String: Double] {
        try numbers("SELECT state, count(*) FROM jobs GROUP BY state")
    }

    /// Corrects the stored numbers, and returns whether anything had to be corrected.
    func settle(_ counted: [String: Double]) throws -> Bool {
        let all = try numbers("SELECT state, total(number) FROM job_counts WHERE batch = 0 GROUP BY state")
        let each = try numbers("SELECT state, total(number) FROM job_counts WHERE batch <> 0 GROUP BY state")
        let wrong = try wrongBatches()
        guard all != counted || each != counted || !wrong.isEmpty else { return false }
        try recount(wrong)
        return true
    }

    /// Returns the batches whose rows disagree with the stored numbers of their jobs.
    ///
    /// Most batches have jobs with consecutive ids; those of two batches submitted at the same time may
    /// alternate.
    private func wrongBatches() throws -> Set<Int64> {
        let ids = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM batches AS b
                WHERE id <= 0 OR job_count IS NOT (SELECT total(number) FROM job_counts WHERE batch = b.id)
                OR (last_job - first_job + 1 IS NOT job_count AND (
                    NOT EXISTS (SELECT 1 FROM jobs WHERE id = first_job AND batch = b.id)
                    OR NOT EXISTS (SELECT 1 FROM jobs WHERE id = last_job AND batch = b.id)
                    OR EXISTS (SELECT 1 FROM jobs WHERE id IN (first_job - 1, last_job + 1) AND batch = b.id)
                ))
                """
        )
        return Set(ids)
    }

    private func numbers(_ sql: String) throws -> [String: Double] {
        var numbers: [String: Double] = [:]
        try BoundStatement(sql, database).forEachRow { row in
            // A sum of zero is the same as no row.
            if row.real(1) != 0 { numbers[row.text(0) ?? "", default: 0] += row.real(1) }
        }
        return numbers
    }

    /// The jobs actually in a batch.
    private struct Members {
        var count: Int64 = 0
        var first = Int64.max
        var last = Int64.min
        var states: [String: Int64] = [:]

        mutating func add(_ other: Members) {
            count += other.count
            (first, last) = (min(first, other.first), max(last, other.last))
            states.merge(other.states, uniquingKeysWith: +)
        }
    }

    /// Recomputes every number of jobs, and those columns of batches that follow from their jobs.
    private func recount(_ wrong: Set<Int64>) throws {
        var batches: [Int64: Members] = [:]
        try BoundStatement(
            "SELECT batch, state, count(*), min(id), max(id) FROM jobs GROUP BY batch, state",
            database
        ).forEachRow { row in
            let (number, first, last) = (row.integer(2), row.integer(3), row.integer(4))
            let states = [row.text(1) ?? "": number]
            batches[row.integer(0), default: Members()]
                .add(Members(count: number, first: first, last: last, states: states))
        }
        var records: [Int64: BatchRecord] = [:]
        for record in try BatchRecord.all("", [], database) { records[record.id] = record }
        for (id, members) in batches where records[id] == nil {
            if let owner = try adopt(members, of: id, batches, &records) {
                batches[id] = nil
                batches[owner, default: Members()].add(members)
            }
        }
        for (id, record) in records {
            guard let members = batches[id] else {
                try database.execute(sql: "DELETE FROM batches WHERE id = ?", arguments: [id])
                continue
            }
            var right = record
            (right.jobCount, right.firstJob, right.lastJob) = (members.count, members.first, members.last)
            if right != record || wrong.contains(id) { try right.write(database) }
        }
        try write(batches)
    }

    private func write(_ batches: [Int64: Members]) throws {
        try database.execute(sql: "DELETE FROM job_counts")
        let insertion = try BoundStatement(
            "INSERT INTO job_counts (batch, state, number) VALUES (?, ?, ?)",
            database
        )
        func insert(_ batch: Int64, _ states: [String: Int64]) throws {
            for (state, number) in states {
                try insertion.bind(batch, at: 1)
                try insertion.bind(state, at: 2)
                try insertion.bind(number, at: 3)
                try insertion.run()
            }
        }
        var all: [String: Int64] = [:]
        for (id, members) in batches {
            if id > 0 { try insert(id, members.states) }
            all.merge(members.states, uniquingKeysWith: +)
        }
        try insert(0, all)
    }

    /// Finds a batch for jobs whose batch has no row; returns its id if it is another one.
    private func adopt(
        _ members: Members,
        of id: Int64,
        _ batches: [Int64: Members],
        _ records: inout [Int64: BatchRecord]
    ) throws -> Int64? {
        let ofItsJobs = records.values.first { $0.firstJob <= members.first && members.last <= $0.lastJob }
        if let ofItsJobs, batches[ofItsJobs.id] == nil, id > 0 {
            // The row exists, but its id is damaged.
            try database.execute(
                sql: "UPDATE batches SET id = ? WHERE id = ?",
                arguments: [id, ofItsJobs.id]
            )
            records[ofItsJobs.id] = nil
            records[id] = ofItsJobs
            records[id]?.id = id
            return nil
        }
        if let ofItsJobs {
            // The jobs have lost their batch's id.
            try database.execute(
                sql: """
                    UPDATE jobs SET batch = ? WHERE id BETWEEN ? AND ? AND (typeof(batch) <> 'integer'
                        OR batch NOT IN (SELECT id FROM batches))
                    """,
                arguments: [ofItsJobs.id, members.first, members.last]
            )
            return ofItsJobs.id
        }
        guard id > 0 else { return nil }
        let earlier = records.values.filter { $0.id < id }.max { $0.id < $1.id }
        let record = BatchRecord(
            id: id,
            createdAt: earlier?.createdAt ?? Moment(microseconds: 0),
            submittedBy: nil,
            jobCount: members.count,
            idempotency: nil,
            firstJob: members.first,
            lastJob: members.last
        )
        try record.write(database)
        records[id] = record
        return nil
    }
}
