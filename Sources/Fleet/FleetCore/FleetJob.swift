/// A job of the fleet while one node holds it: its number, and that of the slice it was claimed with.
///
/// The slice's number grows with each claim. Only who has the latest may record what became of the job. Numbers come
/// again in another database, and in one that was restored or has lost commits: so there is also the life of the fleet
/// (``FleetLife``) in which the slice was claimed.
public struct FleetJob: Hashable, Sendable {
    /// The life of the fleet in which the slice was claimed.
    public var fleet: String
    /// The job's number in the fleet.
    public var job: Int64
    /// The slice's number, its fencing token.
    public var token: Int64

    public init(fleet: String, job: Int64, token: Int64) {
        self.fleet = fleet
        self.job = job
        self.token = token
    }

    /// The idempotency key under which the job's slice is posted to a daemon.
    public var key: String { "ff-\(fleet)-\(token)" }

    /// The text that goes with the job through the daemon, and by which its ending is known again.
    public var mark: String { "\(fleet) \(job) \(token)" }

    /// Reads a ``mark``; nil if it isn't one.
    public init?(mark: String) {
        let words = mark.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, FleetLife.isID(words[0]), let job = Int64(words[1]),
            let token = Int64(words[2]),
            job > 0, token > 0
        else { return nil }
        self.init(fleet: String(words[0]), job: job, token: token)
    }
}
