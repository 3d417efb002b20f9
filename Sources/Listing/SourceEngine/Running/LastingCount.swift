import JobModel
import Vocabulary

/// The number of a source's jobs in each state, kept for as long as counting them anew would cost too much.
///
/// Counting reads an entry of an index for each job, which is some 80 ms for a million, and whoever watches
/// a source asks over and over. What took long is used again for twenty times as long, so that watching takes
/// at most a twentieth of a processor; what took less than a few milliseconds is always counted anew.
struct LastingCount: Sendable {
    let byState: [JobState: Int]
    private let from: Moment
    private let until: Moment

    /// Creates a count that was just made.
    ///
    /// - Parameters:
    ///   - begun: The moment at which counting began.
    ///   - ended: The moment at which it ended.
    init(_ byState: [JobState: Int], begun: Moment, ended: Moment) {
        let seconds = ended.seconds(since: begun)
        self.byState = byState
        from = ended
        // A store that was slow once leaves nobody with old numbers for long.
        until = seconds < 0.005 ? ended : ended.adding(seconds: min(seconds * 20, 5))
    }

    /// Returns whether it can be shown at a moment.
    func lasts(at now: Moment) -> Bool { now.steady >= from.steady && now.steady < until.steady }
}
