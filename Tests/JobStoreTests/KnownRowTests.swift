import GRDB
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Writing only what has changed: whatever the store believes of a row, the row becomes what the job is.
struct KnownRowTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func ids(_ range: ClosedRange<Int64>) -> [JobID] { range.map { JobID(rawValue: $0) } }

    /// A job in which nothing has its default.
    private func full(_ id: Int64) throws -> Job {
        var job = try job(id)
        job.hasGivenName = true
        (job.state, job.path, job.sha256) = (.done, "/d/\(id).jpg", String(repeating: "a", count: 64))
        job.priority = 7
        job.options = JobOptions(
            expectedSHA256: String(repeating: "b", count: 64),
            headers: [try RequestHeader(name: "Authorization", value: "x")],
            rateLimit: 5,
            meta: try JobMeta(json: #"{"a":1}"#.utf8),
            source: "museum",
            itemKey: "key",
            isEvictable: true,
            weight: 3,
            folder: try DocumentFolder("a/b")
        )
        (job.bytes, job.totalBytes, job.validator) = (1, 2, .entityTag("\"e\""))
        (job.attempts, job.isPinned, job.finishedAt) = (4, true, accepted)
        job.detection = DetectionResult(
            outcome: .counted,
            faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 5)],
            picture: SeenPicture(width: 30, height: 40, orientation: 1, format: "jpeg"),
            looks: [640],
            reason: "is empty",
            engine: "haar",
            parameters: "p",
            sharedFrom: JobID(rawValue: 1),
            seconds: 6
        )
        job.detection?.isOfChangedDocument = true
        job.detection?.picture?.isDamaged = true
        job.detection?.picture?.fingerprint = Fingerprint(bits: 1)
        job.detection?.picture?.turned = 90
        return job
    }

    @Test("Columns that are left out where a part of a job is the same depend on that part alone")
    func parts() throws {
        let (plain, full) = (try job(1), try full(2))
        var (optioned, detected) = (plain, plain)
        optioned.options = full.options
        detected.detection = full.detection
        for column in JobColumn.allCases {
            let isOption = JobColumn.ofOptions.contains(column)
            #expect(column.value(of: optioned) == column.value(of: isOption ? full : plain), "\(column)")
            let isDetection = JobColumn.ofDetection.contains(column)
            #expect(column.value(of: detected) == column.value(of: isDetection ? full : plain), "\(column)")
            if isOption || isDetection {
                #expect(column.value(of: full) != column.value(of: plain), "\(column)")
            }
        }
        let neighbour = try job(2)
        for column in JobColumn.allCases where !JobColumn.ofEachJob.contains(column) {
            #expect(column.value(of: neighbour) == column.value(of: plain), "\(column)")
        }
    }

    @Test("The jobs of a list are stored as they are, alike or not")
    func list() throws {
        let store = try open()
        var jobs = try (Int64(1)...40).map { try job($0) }
        for place in [3, 4, 20] { jobs[place] = try full(Int64(place) + 1) }
        jobs[10].priority = -5
        jobs[30].options.source = "other"
        try accept(jobs, into: store)
        #expect(try open().jobs(ids(1...40)) == jobs)
    }

    @Test("A job that changes and changes back is written each time, one job and a run of them")
    func back() throws {
        let store = try open()
        let jobs = try (Int64(1)...5).map { try job($0) }
        try accept(jobs, into: store)
        var context = JobContext(
            now: accepted,
            retry: RetryPolicy(),
            generator: SystemRandomNumberGenerator(),
            lastEnding: 0
        )
        func change(_ input: JobInput, of stored: [Job], together: Bool) throws -> [Job] {
            var (changes, resting, changed) = (StoreChanges(), RestingChanges(), [Job]())
            for job in stored {
                var machine = JobMachine(job: job)
                _ = machine.handle(input, in: &context)
                changed.append(machine.job)
                if together { resting.append(try #require(RestingChange(from: job, to: machine.job))) }
            }
            if together { changes.restingChanges = resting.all } else { changes.changedJobs = changed }
            try store.commit(changes)
            #expect(try open().jobs(ids(1...5)) == changed)
            return changed
        }
        for together in [[false, false], [true, false], [false, true], [true, true], [true, false]] {
            let paused = try change(.pause, of: jobs, together: together[0])
            #expect(paused.allSatisfy { $0.state == .paused })
            #expect(try change(.resume, of: paused, together: together[1]) == jobs)
        }
    }

    @Test("Whatever changes in a job is in its row, from what was accepted to what was read or written")
    func everything() throws {
        let jobs = try (Int64(1)...3).map { try job($0) }
        let changed = try (Int64(1)...3).map { id in
            var job = try full(id)
            // Who has a result of a document has one.
            job.documentMark = FileMark(inode: 1, length: 2, modified: 3, changed: 4)
            return job
        }
        for start in [jobs, changed] {
            for target in [changed, jobs] {
                let directory = try TemporaryDirectory()
                let path = directory.path("facefetch.sqlite")
                let store = try JobStore(path: path, historyLimit: 1000)
                try accept(start, into: store)
                for step in [target, start, target] {
                    var changes = StoreChanges()
                    changes.changedJobs = step
                    changes.lastEnding = 9
                    try store.commit(changes)
                    #expect(try JobStore(path: path, historyLimit: 1000).jobs(ids(1...3)) == step)
                }
            }
        }
    }
}
