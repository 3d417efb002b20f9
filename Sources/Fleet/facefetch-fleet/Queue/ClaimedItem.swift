import FleetCore

/// A job that a node has claimed, with what was asked for.
struct ClaimedItem: Hashable, Sendable {
    /// The job, with the number of its slice.
    var job: FleetJob
    /// The bucket of its host.
    var bucket: Int
    /// The number of nodes that have ended while they had it.
    var takeovers: Int
    /// The URL of the file.
    var url: String
    /// The name that the document is to get; nil for the URL's.
    var name: String?
    /// The SHA-256 that it must have, in lower-case hex.
    var sha256: String?
    /// The priority, from −100 to 100.
    var priority: Int
    /// The folder for the document; nil for what the daemon chooses.
    var folder: String?
    /// Facts about the item as a JSON object.
    var meta: String?
    /// Header fields as a JSON object, which can be credentials.
    var headers: String?

    init?(_ row: Rows.Row) {
        guard let job = row.integer(0), let token = row.integer(1), let url = row.text(3),
            let fleet = row.text(11)
        else { return nil }
        self.job = FleetJob(fleet: fleet, job: job, token: token)
        takeovers = Int(row.integer(2) ?? 0)
        self.url = url
        name = row.text(4)
        sha256 = row.text(5)
        priority = Int(row.integer(6) ?? 0)
        headers = row.text(7)
        bucket = Int(row.integer(8) ?? 0)
        folder = row.text(9)
        meta = row.text(10)
    }
}
