import JobCore
import JobModel
import Vocabulary

// Most tests of the queues are about something else than who shares them.
extension TransferQueue {
    mutating func enqueue(_ job: JobID, host: String, priority: Int) {
        enqueue(job, host: host, priority: priority, of: .batch(BatchID(rawValue: 1)))
    }
}

extension DetectionGate {
    mutating func enqueue(_ job: JobID, mark: Mark? = nil, alone: Bool = false) {
        enqueue(job, mark: mark, alone: alone, priority: 0, of: .batch(BatchID(rawValue: 1)))
    }
}
