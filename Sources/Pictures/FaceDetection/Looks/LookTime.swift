/// The rest of the time that a picture may take, so that a larger look at a giant one costs nobody the result
/// of those before.
struct LookTime {
    private let begin: ContinuousClock.Instant
    private let limit: Duration?

    init(limit: Duration?, begin: ContinuousClock.Instant = .now) {
        (self.limit, self.begin) = (limit, begin)
    }

    /// True if a third of it is enough for all so far: the next look has to decode the picture again.
    var isEnough: Bool { limit.map { begin.duration(to: .now) * 3 <= $0 } ?? true }
    /// True if a fifth of it is left, in which a look can be broken off.
    var isLeft: Bool { limit.map { begin.duration(to: .now) * 5 <= $0 * 4 } ?? true }
    /// The time until only that fifth is left; nil for as long as it takes.
    var left: Duration? { limit.map { max(.zero, $0 * 4 / 5 - begin.duration(to: .now)) } }
}
