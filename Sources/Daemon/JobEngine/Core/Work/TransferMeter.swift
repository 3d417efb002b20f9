import JobModel

/// Measures a transfer's speed over the last few seconds.
struct TransferMeter {
    var bytes: Int64
    var total: Int64?
    var bytesPerSecond: Double = 0
    private var sampledBytes: Int64
    private var sampledAt: Moment
    private var toldAt: Moment?

    init(bytes: Int64, total: Int64?, now: Moment) {
        self.bytes = bytes
        self.total = total
        sampledBytes = bytes
        sampledAt = now
    }

    /// Records the transfer's progress; returns whether to publish it, which happens four times a second, as
    /// often as anyone can read.
    mutating func update(bytes: Int64, now: Moment) -> Bool {
        self.bytes = bytes
        let seconds = now.seconds(since: sampledAt)
        if seconds >= 0.5 {
            let rate = Double(max(0, bytes - sampledBytes)) / seconds
            // Half old, half new: an exponential average that remembers a few samples.
            bytesPerSecond = bytesPerSecond == 0 ? rate : (bytesPerSecond + rate) / 2
            sampledBytes = bytes
            sampledAt = now
        }
        if let toldAt, now.seconds(since: toldAt) < 0.25 { return false }
        toldAt = now
        return true
    }

    /// Returns the speed in bytes per second as known so far, even for a transfer that has just begun.
    func rate(now: Moment) -> Double {
        if bytesPerSecond > 0 { return bytesPerSecond }
        return Double(max(0, bytes - sampledBytes)) / max(now.seconds(since: sampledAt), 0.001)
    }

    var live: LiveTransfer { LiveTransfer(bytes: bytes, total: total, bytesPerSecond: bytesPerSecond) }
}
