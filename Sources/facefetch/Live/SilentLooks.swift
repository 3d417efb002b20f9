/// When to look at what is waited for, although nothing is heard of it: after two seconds, and then less and less often.
struct SilentLooks: Sendable {
    /// The first pause.
    static let first = Duration.seconds(2)
    /// The longest pause.
    static let longest = Duration.seconds(30)

    /// The pause before the next look.
    private(set) var pause = Self.first
    private var last: ContinuousClock.Instant
    private var isOverdue = false

    /// Begins to count at `now`.
    init(now: ContinuousClock.Instant) { last = now }

    /// Notes that something was heard.
    mutating func heard(now: ContinuousClock.Instant) { (last, pause) = (now, Self.first) }

    /// Notes that a look has ended, in which nothing was found that ends the waiting.
    mutating func looked(now: ContinuousClock.Instant) {
        (last, pause, isOverdue) = (now, min(pause * 2, Self.longest), false)
    }

    /// Asks for a look at once, whatever is heard.
    mutating func hurry() { isOverdue = true }

    /// True if it is time for a look.
    func isDue(now: ContinuousClock.Instant) -> Bool { isOverdue || now - last >= pause }
}
