import Foundation
import JobModel
import JobStore
import Vocabulary

/// A store full of jobs, written as the daemon writes them, but without files.
struct MadeStore {
    /// The state that all its jobs are in: `done`, each with two faces, or `stored`.
    let state: JobState
    private static let time = Moment(microseconds: 1_790_000_000_000_000)
    /// The run of the machine in which all documents came.
    private static let boot = "f1b01b5d-e695-454c-88d4-6bd0d2c93519"
    /// As many jobs as a batch can have.
    private static let batch = 100_000

    /// Makes it in a daemon's state directory.
    func make(in directory: String, jobs: Int) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let store = try JobStore(path: directory + "/facefetch.sqlite")
        defer { try? store.close() }
        var next = 1
        while next <= jobs {
            try store.commit(try changes(next...min(jobs, next + Self.batch - 1)))
            next += Self.batch
        }
    }

    private func changes(_ ids: ClosedRange<Int>) throws -> StoreChanges {
        var changes = StoreChanges()
        let number = BatchID(rawValue: Int64(ids.lowerBound / Self.batch + 1))
        changes.newBatches = [
            StoreChanges.NewBatch(
                id: number,
                createdAt: Self.time,
                submittedBy: 0,
                jobs: JobID(rawValue: Int64(ids.lowerBound))...JobID(rawValue: Int64(ids.upperBound)),
                isVisible: true
            )
        ]
        changes.newJobs = try ids.map { id in
            var job = try document(id, of: number)
            if state == .done { look(at: &job) }
            return job
        }
        changes.lastEnding = Int64(2 * ids.upperBound)
        return changes
    }

    /// A job whose document has come and is to be looked at once the gate is opened; no two have the same
    /// content.
    private func document(_ id: Int, of batch: BatchID) throws -> Job {
        let url = try JobURL("https://pictures.example.org/collection/\(id % 100)/\(id).jpg")
        let id = JobID(rawValue: Int64(id))
        var job = Job(id: id, batch: batch, createdAt: Self.time, url: url, name: "\(id.rawValue).jpg")
        job.state = .stored
        job.path = "/var/lib/facefetch/documents/\(job.name)"
        job.bytes = 200_000 + id.rawValue % 1000
        job.totalBytes = job.bytes
        let digits = String(id.rawValue, radix: 16)
        job.sha256 = String(repeating: "0", count: 64 - digits.count) + digits
        (job.attempts, job.hasStarted, job.loggedSteps, job.hasFinished) = (1, true, 10, true)
        job.validator = .lastModified("Mon, 21 Sep 2026 14:13:20 GMT")
        job.partialBoot = Self.boot
        job.documentMark = FileMark(
            inode: UInt64(id.rawValue),
            length: job.bytes,
            modified: Self.time.wall.microseconds * 1000,
            changed: Self.time.wall.microseconds * 1000 + 250_000
        )
        job.detectionDeferred = true
        job.endings[.stored] = 2 * id.rawValue - 1
        return job
    }

    private func look(at job: inout Job) {
        let id = Int(job.id.rawValue)
        job.state = .done
        job.detection = DetectionResult(
            outcome: .counted,
            faces: [0, 1].map { face($0, of: id) },
            picture: SeenPicture(width: 4000, height: 3000, orientation: id % 8 + 1, format: "jpeg"),
            looks: [640],
            engine: "yunet",
            parameters: "model=25a606a145a5 confidence=0.8,0.75,0.7",
            seconds: 0.02
        )
        job.detection?.picture?.fingerprint = Self.fingerprint(id)
        job.finishedAt = Self.time
        job.endings[.done] = 2 * job.id.rawValue
    }

    /// A fingerprint that looks like chance (the mixing of SplitMix64); every tenth document is a copy of the one
    /// before it in which 4 bits differ.
    private static func fingerprint(_ id: Int) -> Fingerprint? {
        let isCopy = id % 10 == 0
        var bits = UInt64(isCopy ? id - 1 : id) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Fingerprint(bits: isCopy ? bits ^ 0x8001_0000_0001_0001 : bits)
    }

    private func face(_ index: Int, of id: Int) -> Face {
        let left = 100 + index * 1500 + id % 1000
        let points = (0..<Face.landmarkCount).map {
            Face.Point(x: left + 40 * $0, y: 700 + id % 100)
        }
        return Face(
            x: left,
            y: 600,
            width: 300,
            height: 400,
            confidence: 0.9,
            landmarks: points
        )
    }
}
