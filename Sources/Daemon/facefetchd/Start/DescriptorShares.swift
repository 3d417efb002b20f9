/// Shares of the files and sockets that the daemon may have open (RLIMIT_NOFILE).
///
/// Transfers could use any number of them, and matter least: without a descriptor for its next timer or
/// connection, the daemon can't even say how it is. So what people and the runtime need is set apart, and
/// the number of transfers follows from what is left.
struct DescriptorShares: Hashable, Sendable {
    /// The least limit with which the daemon starts.
    static let least = 128

    /// Descriptors open while nothing is to be done: the store and its readers, the log, timers.
    private static let own = 46
    /// Descriptors of each thread that serves connections.
    private static let ofLoop = 3
    /// Descriptors open for a moment in all parts that are bounded by themselves: the store's further
    /// readers, those that make documents of partials, the watched folder, sidecars, the webhook, readers of
    /// pages.
    private static let ofOthers = 40
    /// Descriptors of a process: three pipes, and one that signals its end.
    private static let ofProcess = 4
    /// Descriptors of a connection to the control socket: itself, and a document sent through it.
    private static let ofConnection = 2
    /// Descriptors of a transfer: first the host's look-up, then a socket or two, and its partial.
    private static let ofTransfer = 4

    /// The limit that is shared.
    let limit: Int
    /// The threads that serve the control socket.
    let loops: Int
    /// The most connections to the control socket.
    let connections: Int
    /// The most detectors.
    let detectors: Int
    /// The most pages of sources that are read at once.
    let readers: Int
    /// The descriptors that transfers leave to others.
    let reserve: Int
    /// The number from which on descriptors are left to others.
    var ceiling: Int { max(0, limit - reserve) }
    /// The most transfers.
    let transfers: Int
    /// The most connections to servers, those included that are kept for further requests.
    let sockets: Int

    /// Shares a limit; one below ``least`` is shared as that.
    ///
    /// - Parameters:
    ///   - limit: The most descriptors (getrlimit(2)).
    ///   - processors: The number of processors.
    ///   - detectors: The number of detectors wanted.
    init(limit: Int, processors: Int = 1, detectors: Int = 1) {
        let all = max(limit, Self.least)
        self.limit = limit
        loops = max(1, min(processors, all / 64))
        connections = min(2048, all / 16)
        self.detectors = max(1, min(detectors, all / 64))
        readers = all < 256 ? 1 : 2
        reserve =
            Self.ofOthers + Self.ofConnection * connections + Self.ofProcess * self.detectors
        let left = all - reserve - Self.own - Self.ofLoop * loops
        transfers = max(1, left / Self.ofTransfer)
        sockets = max(2, left / 2)
    }

    /// The reason for which the daemon doesn't start under this limit; nil if it does.
    var refusal: String? {
        guard limit < Self.least else { return nil }
        return "the daemon may have only \(limit) files and sockets open, and needs \(Self.least); "
            + Self.remedy
    }

    private static let remedy =
        "raise LimitNOFILE= of its unit, or \"ulimit -n\" of the shell that starts it"

    /// Returns what to tell of settings that ask for more than there are descriptors for.
    func notices(concurrency: Int, detectors wanted: Int) -> [String] {
        var notices: [String] = []
        let cause =
            "since the daemon may have only \(limit) files and sockets open; for more, \(Self.remedy)"
        if transfers < concurrency {
            notices.append(
                "at most \(transfers) files are downloaded at once, and not \(concurrency) "
                    + "(transfer.concurrency), \(cause)"
            )
        }
        if detectors < wanted {
            notices.append(
                "at most \(detectors) face detectors run at once, and not \(wanted) (detection.workers), \(cause)"
            )
        }
        return notices
    }
}
