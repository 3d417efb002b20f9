/// The number of detector processes, and the limits of each.
///
/// Times are Durations, because the pool uses a clock that never jumps.
struct DetectorPoolLimits: Hashable, Sendable {
    /// The number of concurrent processes, at least 1.
    var workers: Int
    /// The time limit for a picture.
    var timeout: Duration
    /// The time limit from the start of a process until it is ready.
    var startTimeout: Duration = .seconds(30)
    /// The time for which a process may be idle, taking up memory, before it ends.
    var idleTime: Duration
    /// The time limit for a process to end when asked, after which it is killed.
    var endTimeout: Duration = .seconds(5)
    /// The number of pictures after which a process is replaced, so that leaks can't grow.
    var recycleAfter: Int
    /// The amount of work after which a process is replaced, well before its limit of CPU time.
    var recycleAfterWork: Duration = .seconds(1200)

    /// Creates limits with the defaults of the settings.
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

    /// Returns how long to wait before starting another process, after this many deaths in a row.
    ///
    /// The first dead process is replaced at once, since one bad picture is no pattern. Then the wait is
    /// 0.1 s, doubled each time: up to 30 s for processes that can't even start, or aren't let into the
    /// documents directory, and up to 1 s for those killed by pictures, so that a run of bad pictures doesn't keep
    /// the good ones waiting for long.
    func delay(afterDeaths deaths: Int, ready: Bool) -> Duration {
        guard deaths > 1 else { return .zero }
        let delays: ClosedRange<Duration> = .milliseconds(100)...(.seconds(ready ? 1 : 30))
        return delays.doubled(times: deaths - 2)
    }
}
