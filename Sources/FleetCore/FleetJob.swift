/// A job of the fleet while one node holds it: its number, and that of the slice it was claimed with.
///
/// The slice's number grows with each claim. Only who has the latest may record what became of the job.
public struct FleetJob: Hashable, Sendable {
    /// The job's number in the fleet.
    public var job: Int64
    /// The slice's number, its fencing token.
    public var token: Int64

    public init(job: Int64, token: Int64) {
        self.job = job
        self.token = token
    }

    /// The idempotency key under which a slice is posted to a daemon.
    public static func key(token: Int64) -> String { "ff-\(token)" }

    /// The text that goes with the job through the daemon, and by which its ending is known again.
    public var mark: String { "\(job) \(token)" }

    /// Reads a ``mark``; nil if it isn't one.
    public init?(mark: String) {
        let words = mark.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let job = Int64(words[0]), let token = Int64(words[1]), job > 0, token > 0
        else { return nil }
        self.init(job: job, token: token)
    }
}
