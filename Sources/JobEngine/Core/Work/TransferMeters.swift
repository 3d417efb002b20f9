import JobCore

/// How far the transfers under way are, how fast, and how much all have fetched.
struct TransferMeters {
    private var meters: [JobID: TransferMeter] = [:]
    /// What all transfers have fetched so far.
    private(set) var receivedBytes: Int64 = 0

    /// Takes what the transfer thread tells; returns what listeners should hear of it, if anything.
    mutating func take(_ report: TransferReport, of job: JobID, now: Moment) -> LiveTransfer? {
        switch report {
        case .began(let start):
            meters[job] = TransferMeter(bytes: start.offset, total: start.total, now: now)
            return nil
        case .progressed(let bytes):
            guard var meter = meters[job] else { return nil }
            receivedBytes += max(0, bytes - meter.bytes)
            let isWorthTelling = meter.update(bytes: bytes, now: now)
            meters[job] = meter
            return isWorthTelling ? meter.live : nil
        case .restarting, .kept, .synced: return nil
        case .ended(let end):
            let meter = meters.removeValue(forKey: job)
            // What is small is there before anyone has told how far it is.
            if case .completed(let length, _) = end { receivedBytes += max(0, length - (meter?.bytes ?? 0)) }
            return nil
        }
    }

    /// Bytes a second of one transfer, as far as is known by now; nil when none is under way.
    func rate(of job: JobID, now: Moment) -> Double? { meters[job]?.rate(now: now) }

    /// Bytes a second of all transfers together.
    var bytesPerSecond: Double { meters.values.reduce(0) { $0 + $1.bytesPerSecond } }

    /// Bytes that all transfers but one are still to bring, as far as is known.
    func expectedBytes(besides job: JobID) -> Int64 {
        meters.reduce(Int64(0)) { sum, entry in
            guard entry.key != job, let total = entry.value.total else { return sum }
            return sum.saturatingAdd(max(0, total - entry.value.bytes))
        }
    }

    /// How far each of them is.
    var live: [JobID: LiveTransfer] { meters.mapValues(\.live) }
}
