/// The number of detector processes, and the limits of each.
///
/// Times are Durations, because the pool lives on a clock that never jumps.
struct DetectorPoolLimits: Hashable, Sendable {
    /// Processes at once, 1 or more.
    var workers: Int
    /// The longest that one picture may take.
    var timeout: Duration
    /// The longest from the start of a process until it is ready.
    var startTimeout: Duration = .seconds(30)
    /// A process that has had nothing to look at for this long ends: it would only take memory.
    var idleTime: Duration
    /// The longest from asking a process to end until it has; then it is stopped.
    var endTimeout: Duration = .seconds(5)
    /// A process is replaced after this many pictures, so that what leaks can't grow.
    var recycleAfter: Int
    /// A process is also replaced after this much work, well before its limit of CPU time.
    var recycleAfterWork: Duration = .seconds(1200)

    /// Limits; the defaults are those of the settings.
    init(
        workers: Int,
        timeout: Duration = .seconds(60),
        recycleAfter: Int = 1000,
        idleTime: Duration = .seconds(30)
    ) {
        self.workers = max(1, workers)
        self.timeout = timeout
        self.recycleAfter = max(1, recycleAfter)
        self.idleTime = max(.zero, idleTime)
    }

    /// How long to wait before the next process, after this many deaths in a row.
    ///
    /// The first is replaced at once, since one bad picture is no pattern. Then
    /// 0.1 s, doubled each time: up to 30 s for processes that can't even
    /// start, up to 1 s for those that die of pictures, so that a run of bad
    /// pictures doesn't keep the good ones waiting for long.
    func delay(afterDeaths deaths: Int, ready: Bool) -> Duration {
        guard deaths > 1 else { return .zero }
        let longest: Duration = ready ? .seconds(1) : .seconds(30)
        return min(longest, .milliseconds(100) * (1 << min(deaths - 2, 16)))
    }
}
