import JobModel
import Vocabulary

/// The progress and speed of running transfers, and the bytes that all have fetched.
struct TransferMeters {
    private var meters: [JobID: TransferMeter] = [:]
    /// The bytes that all transfers have fetched so far.
    private(set) var receivedBytes: Int64 = 0

    /// Records a report of the transfer thread; returns the progress to publish, if any.
    mutating func record(_ report: TransferReport, of job: JobID, now: Moment) -> LiveTransfer? {
        switch report {
        case .began(let start):
            meters[job] = TransferMeter(bytes: start.offset, total: start.total, now: now)
            return nil
        case .progressed(let bytes):
            guard var meter = meters[job] else { return nil }
            receivedBytes += max(0, bytes - meter.bytes)
            let isWorthPublishing = meter.update(bytes: bytes, now: now)
            meters[job] = meter
            return isWorthPublishing ? meter.live : nil
        case .restarting, .kept, .synced, .requested, .shared: return nil
        case .ended(let end):
            let meter = meters.removeValue(forKey: job)
            // A small file is complete before any progress is reported.
            let length: Int64? =
                switch end {
                case .completed(let length, _): length
                case .buffered(let body, _): body.length
                case .mustRestart, .interrupted, .hindered, .damaged, .refused, .stopped, .unsent: nil
                }
            if let length { receivedBytes += max(0, length - (meter?.bytes ?? 0)) }
            return nil
        }
    }

    /// Returns the speed of one transfer in bytes per second, as known so far; nil if it isn't running.
    func rate(of job: JobID, now: Moment) -> Double? { meters[job]?.rate(now: now) }

    /// The combined speed of all transfers in bytes per second.
    var bytesPerSecond: Double { meters.values.reduce(0) { $0 + $1.bytesPerSecond } }

    /// Returns the bytes that all transfers but one have still to bring, as far as is known.
    func expectedBytes(besides job: JobID) -> Int64 {
        meters.reduce(Int64(0)) { sum, entry in
            guard entry.key != job, let total = entry.value.total else { return sum }
            return sum.saturatingAdd(max(0, total - entry.value.bytes))
        }
    }

    /// The progress of each transfer.
    var live: [JobID: LiveTransfer] { meters.mapValues(\.live) }
}
