/// Something that isn't a job's own fault and kept an attempt from bringing anything.
public enum Hindrance: Hashable, Sendable {
    /// The host asks everybody to wait, for so many seconds if it says so.
    ///
    /// It is named like ``JobURL/hostKey``, and may be another one than that of the job's URL, after a redirect.
    case hostAsksToWait(host: String, seconds: Double?)
    /// The host that a redirect leads to is asked at a pace of ours, and its turn comes in so many seconds.
    case paced(host: String, seconds: Double)
    /// The host has answered 503 without a word of how long, which may be about this file alone, or about all.
    case hostFails(host: String)
    /// The host's certificate isn't trusted, as that of all its files; it is named like that of ``hostAsksToWait``.
    case certificate(host: String)
    /// The host asks for a browser instead of answering, which may be about this file alone, or about all.
    case challenge(host: String)
    /// A page came over http instead of the file, from this address without its query, or 511 from anybody; a portal
    /// may have sent it in the host's place.
    case page(from: String?)
    /// There was no connection to the host, or no address for its name.
    case unreached(host: String)
    /// The proxy says that it got no connection to the host, which may be the fault of either, or of the line between.
    case unreachedByProxy(host: String)
    /// The proxy refuses requests, or can't be reached.
    case proxy
    /// The transfer's connection was given up with bytes on it that were never read, which is our own fault.
    case leftUnread

    /// The host whose time has to come; nil where it isn't that.
    public var timedHost: String? {
        switch self {
        case .hostAsksToWait(let host, _), .paced(let host, _), .certificate(let host): host
        case .hostFails, .challenge, .page, .unreached, .unreachedByProxy, .proxy, .leftUnread: nil
        }
    }

    /// True if another attempt can't help where it is the file's own answer.
    public var isFinalAlone: Bool {
        switch self {
        case .challenge, .page(from: .some): true
        default: false
        }
    }
}

/// The blame for an attempt that brought nothing, which decides what of it counts towards giving the job up.
public enum AttemptFault: Hashable, Sendable {
    /// The job or its server: the attempt counts, and so does its time.
    case own
    /// A host that fails, and is left alone for so many seconds: the attempt counts, and the job goes on behind those
    /// that have tried less often.
    case failing(seconds: Double)
    /// A machine without a route to any other: neither counts.
    case offline
    /// A host whose time comes at a moment, as it asks, or as it is left alone for a reason: only time counts.
    case host(until: Moment)
    /// A host that asks for a wait because of this file alone, for so many seconds if it says so: only time counts.
    case alone(seconds: Double?)
    /// A host whose turn comes at a moment, as our own pace says: neither counts, however many wait for it.
    case pace(until: Moment)
    /// Something that holds all jobs, and is told of as a hold: only these seconds count, and the job goes back to
    /// the queue without a word.
    case shared(seconds: Double)

    /// True if it is told of as a hold, and not of each job.
    public var isShared: Bool { if case .shared = self { true } else { false } }
}
