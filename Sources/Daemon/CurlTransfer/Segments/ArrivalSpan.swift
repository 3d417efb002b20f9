/// The time through which a crew's bytes have been arriving without a pause; times are in milliseconds.
struct ArrivalSpan: Hashable, Sendable {
    /// The time without any bytes from which on the line may be down rather than the server slow.
    static let longestPause: Int64 = 500

    private var start: Int64?
    private var last: Int64 = 0

    /// Notes that bytes have arrived.
    mutating func note(now: Int64) {
        if !isUnbroken(now: now) { start = now }
        last = now
    }

    /// Returns whether any bytes have arrived since this time.
    func reaches(_ time: Int64) -> Bool { start != nil && last >= time }

    /// Returns whether bytes have kept arriving through the second half of a silence that began at this time.
    ///
    /// Connections find out one after the other that a line is there again: after a pause, TCP tries again in at most
    /// as long as the pause was (RFC 6298, section 5.5), so the first bytes of one say nothing of the others yet.
    func coversHalf(ofSilenceSince beginning: Int64, now: Int64) -> Bool {
        guard let start, isUnbroken(now: now) else { return false }
        return start <= beginning + (now - beginning) / 2
    }

    private func isUnbroken(now: Int64) -> Bool { start != nil && now - last <= Self.longestPause }
}
