import JobCore

/// How fast a transfer is, over its last seconds.
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

    /// Takes how far the transfer is; returns whether listeners should be
    /// told: four times a second is as often as anyone can read.
    mutating func update(bytes: Int64, now: Moment) -> Bool {
        self.bytes = bytes
        let seconds = now.seconds(since: sampledAt)
        if seconds >= 0.5 {
            let rate = Double(max(0, bytes - sampledBytes)) / seconds
            // Half of what was, half of what is: a few samples of memory.
            bytesPerSecond = bytesPerSecond == 0 ? rate : (bytesPerSecond + rate) / 2
            sampledBytes = bytes
            sampledAt = now
        }
        if let toldAt, now.seconds(since: toldAt) < 0.25 { return false }
        toldAt = now
        return true
    }

    /// Bytes a second as far as is known by now: also of a transfer that has just begun.
    func rate(now: Moment) -> Double {
        if bytesPerSecond > 0 { return bytesPerSecond }
        return Double(max(0, bytes - sampledBytes)) / max(now.seconds(since: sampledAt), 0.001)
    }

    var live: LiveTransfer { LiveTransfer(bytes: bytes, total: total, bytesPerSecond: bytesPerSecond) }
}
