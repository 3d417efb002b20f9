/// Decides which faults are reported, so that one that comes over and over doesn't flood the receiver.
///
/// It is kept over restarts, since a daemon that is restarted all the time has the same faults all the time. Times
/// are Unix times; those in the future were noted by a wrong clock and don't count.
struct ReportAllowance: Hashable, Sendable, Codable {
    /// The seconds between two reports of the same fault.
    static let pause = 3600.0
    /// The most reports in a day.
    static let perDay = 20
    /// A day in seconds.
    static let day = 86_400.0
    /// The most different faults that are remembered.
    static let mostFaults = 100

    private struct Entry: Hashable, Codable {
        /// The time when it was last reported; nil if it never was.
        var reported: Double?
        /// The time when it was last seen.
        var seen: Double
        /// The number of times it was held back since.
        var repeats = 0
    }

    private var entries: [String: Entry] = [:]
    /// The times when reports were made in the last day.
    private var reports: [Double] = []

    /// Creates an allowance of which nothing is used.
    init() {}

    /// Asks for leave to report a fault.
    ///
    /// - Returns: How many such faults were held back since the last report of one; nil if this one is, too.
    mutating func ask(_ fingerprint: [String], now: Double) -> Int? {
        let name = fingerprint.joined(separator: "/")
        reports.removeAll { !Self.isWithin(Self.day, of: $0, now) }
        entries = entries.filter { Self.isWithin(Self.day, of: $0.value.seen, now) }
        var entry = entries[name] ?? Entry(seen: now)
        let isTooSoon = entry.reported.map { Self.isWithin(Self.pause, of: $0, now) } ?? false
        guard !isTooSoon, reports.count < Self.perDay else {
            entry.repeats = min(entry.repeats, Int.max - 1) + 1
            entry.seen = now
            entries[name] = entry
            forgetOldest()
            return nil
        }
        entries[name] = Entry(reported: now, seen: now)
        reports.append(now)
        forgetOldest()
        return entry.repeats
    }

    private mutating func forgetOldest() {
        guard entries.count > Self.mostFaults,
            let oldest = entries.min(by: { $0.value.seen < $1.value.seen })
        else { return }
        entries[oldest.key] = nil
    }

    private static func isWithin(_ seconds: Double, of time: Double, _ now: Double) -> Bool {
        time <= now && now - time < seconds
    }
}
