/// The rest of the time that a picture may take, so that a larger look at a giant one costs nobody the result
/// of those before.
struct LookTime {
    private let begin = ContinuousClock.now
    private let limit: Duration?

    init(limit: Duration?) { self.limit = limit }

    /// True if a third of it is enough for all so far: the next look has to decode the picture again.
    var isEnough: Bool { limit.map { begin.duration(to: .now) * 3 <= $0 } ?? true }
    /// True if a fifth of it is left, in which a look can be broken off.
    var isLeft: Bool { limit.map { begin.duration(to: .now) * 5 <= $0 * 4 } ?? true }
}
