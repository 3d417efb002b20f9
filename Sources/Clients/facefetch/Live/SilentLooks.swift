/// When to look at what is waited for, although nothing is heard of it: after two seconds, and then less and less often.
struct SilentLooks: Sendable {
    private static let pauses: ClosedRange<Duration> = .seconds(2)...(.seconds(30))

    private var looks = 0
    private var last: ContinuousClock.Instant
    private var isOverdue = false

    /// The pause before the next look.
    var pause: Duration { Self.pauses.doubled(times: looks) }

    /// Begins to count at `now`.
    init(now: ContinuousClock.Instant) { last = now }

    /// Notes that something was heard.
    mutating func heard(now: ContinuousClock.Instant) { (last, looks) = (now, 0) }

    /// Notes that a look has ended, in which nothing was found that ends the waiting.
    mutating func looked(now: ContinuousClock.Instant) {
        (last, looks, isOverdue) = (now, looks + 1, false)
    }

    /// Asks for a look at once, whatever is heard.
    mutating func hurry() { isOverdue = true }

    /// True if it is time for a look.
    func isDue(now: ContinuousClock.Instant) -> Bool { isOverdue || now - last >= pause }
}
