import Foundation
import JobCore
import JobStore

/// A store full of jobs that have ended, written as the daemon writes them, but without files.
enum EndedStore {
    /// As many jobs as a batch can have.
    private static let batch = 100_000

    /// Makes a store with so many pictures, each with two faces.
    static func make(in state: String, jobs: Int) throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let store = try JobStore(path: state + "/facefetch.sqlite")
        defer { try? store.close() }
        var next = 1
        while next <= jobs {
            try store.commit(try changes(next...min(jobs, next + batch - 1)))
            next += batch
        }
    }

    private static func changes(_ ids: ClosedRange<Int>) throws -> StoreChanges {
        var changes = StoreChanges()
        let time = Moment(microseconds: 1_790_000_000_000_000)
        let number = BatchID(rawValue: Int64(ids.lowerBound / batch + 1))
        changes.newBatches = [
            StoreChanges.NewBatch(
                id: number,
                createdAt: time,
                submittedBy: 0,
                jobs: JobID(rawValue: Int64(ids.lowerBound))...JobID(rawValue: Int64(ids.upperBound)),
                isVisible: true
            )
        ]
        changes.newJobs = try ids.map { id in
            let url = try JobURL("https://pictures.example.org/collection/\(id % 100)/\(id).jpg")
            let name = "\(id).jpg"
            var job = Job(
                id: JobID(rawValue: Int64(id)),
                batch: number,
                createdAt: time,
                url: url,
                name: name
            )
            job.state = .done
            job.path = "/var/lib/facefetch/documents/\(id).jpg"
            job.bytes = 200_000 + Int64(id % 1000)
            job.totalBytes = job.bytes
            let digits = String(id, radix: 16)
            job.sha256 = String(repeating: "5", count: 64 - digits.count) + digits
            job.detection = DetectionResult(
                outcome: .counted,
                faces: [0, 1].map { face($0, of: id) },
                picture: SeenPicture(width: 4000, height: 3000, orientation: id % 8 + 1, format: "jpeg"),
                looks: [640],
                engine: "yunet",
                parameters: "model=25a606a145a5 confidence=0.8,0.75,0.7",
                seconds: 0.02
            )
            job.finishedAt = time
            job.endings[.stored] = Int64(2 * id - 1)
            job.endings[.done] = Int64(2 * id)
            return job
        }
        changes.lastEnding = Int64(2 * ids.upperBound)
        return changes
    }

    private static func face(_ index: Int, of id: Int) -> Face {
        let left = 100 + index * 1500 + id % 1000
        let points = (0..<FaceLandmarks.count).map {
            FaceLandmarks.Point(x: left + 40 * $0, y: 700 + id % 100)
        }
        return Face(
            x: left,
            y: 600,
            width: 300,
            height: 400,
            confidence: 0.9,
            landmarks: FaceLandmarks(points)
        )
    }
}
