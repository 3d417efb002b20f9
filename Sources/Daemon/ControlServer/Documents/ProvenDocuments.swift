import JobModel
import Synchronization
import Vocabulary

/// The documents that have the content that was stored, although somebody has touched them, so that they needn't be
/// read each time.
final class ProvenDocuments: Sendable {
    private let marks = Mutex<[JobID: FileMark]>([:])

    /// The most documents that are kept in mind; a wall shows fewer.
    private static let most = 10_000

    /// Returns whether a file with this mark was found to be a job's document.
    func have(_ job: JobID, _ mark: FileMark) -> Bool { marks.withLock { $0[job] == mark } }

    /// Notes that a file was found to be a job's document.
    func add(_ job: JobID, _ mark: FileMark) {
        marks.withLock { marks in
            if marks.count >= Self.most { marks = [:] }
            marks[job] = mark
        }
    }
}
