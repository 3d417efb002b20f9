/// A report of the transfer thread on one transfer.
///
/// The order is: `restarting` before a body that replaces what the partial holds, at most one `began`
/// for each accepted body, any number of `progressed`, `synced`, `kept`, `requested` and `shared`, and one `ended`.
public enum TransferReport: Hashable, Sendable {
    /// The server sends the whole file although it was asked for the rest.
    ///
    /// The partial is still unchanged, and the body waits until the store no longer claims anything of
    /// it. Otherwise a crash between the first byte of the new body and a commit would leave one version
    /// of the file under the validator of another.
    case restarting(reason: String)
    /// A body has been accepted, whose first byte goes to `start.offset`.
    case began(TransferStart)
    /// The partial holds this many bytes.
    case progressed(bytes: Int64)
    /// This many bytes at the start of the partial have been synced.
    case synced(bytes: Int64)
    /// The file is fetched in segments, or is about to be, and these parts of it have been synced.
    ///
    /// The transfer waits until each of these reports is in the store: after the first, the partial's
    /// length means nothing any more, and after each, only a limited number of bytes may be lost.
    case kept(SegmentMap)
    /// A further request was begun for the transfer, to this host (``JobURL/hostKey``): after a redirect, or for a
    /// segment.
    case requested(host: String)
    /// Something was learnt of the connections to the host of the job's URL, and of how much it answers at once.
    case shared(StreamNews)
    /// The transfer has ended, and no report follows.
    case ended(TransferEnd)
}

/// An accepted response's statements about its body.
public struct TransferStart: Hashable, Sendable {
    /// The relation of the body to the partial.
    public enum Mode: Hashable, Sendable {
        /// The whole file was asked for, and comes.
        case fresh
        /// The body continues the partial where it was cut off, as the server has proven.
        case resumed
        /// The partial was emptied after ``TransferReport/restarting(reason:)``, and the file comes from
        /// its first byte.
        case restarted(reason: String)
    }

    /// The relation of the body to the partial.
    public var mode: Mode
    /// The number of bytes in the partial before this body.
    public var offset: Int64
    /// The length of the whole file in bytes, if the server announced it.
    public var total: Int64?
    /// The proof of an unchanged file that a later resume needs, if the server gave one.
    public var validator: Validator?
    /// The file name that the server suggests (RFC 6266), verbatim and not safe to use as it is.
    public var suggestedName: String?
    /// The Content-Type field, verbatim.
    public var contentType: String?
    /// The part of the answer that is kept; nil if no server was asked.
    @Boxed public var response: ServerResponse?

    public init(
        mode: Mode,
        offset: Int64,
        total: Int64?,
        validator: Validator?,
        suggestedName: String? = nil,
        contentType: String? = nil,
        response: ServerResponse? = nil
    ) {
        self.mode = mode
        self.offset = offset
        self.total = total
        self.validator = validator
        self.suggestedName = suggestedName
        self.contentType = contentType
        self.response = response
    }
}

/// The way in which a transfer has ended.
public enum TransferEnd: Hashable, Sendable {
    /// The whole file of `length` bytes is in the partial.
    ///
    /// `lengthProven` is false if only the closing of the connection ended the body (RFC 9112 §8).
    case completed(length: Int64, lengthProven: Bool)
    /// The whole file is in memory, and nothing of it in the partial.
    case buffered(BufferedBody, lengthProven: Bool)
    /// The partial can't be continued; ask again for the whole file.
    case mustRestart(reason: String)
    /// The transfer was cut off, and the partial may be continued.
    ///
    /// It is worth another attempt, no earlier than `retryAfter` seconds from now if the server said so.
    case interrupted(JobFailure, retryAfter: Double?)
    /// The transfer was cut off or never began, and not through the fault of the job; the partial may be continued.
    case hindered(JobFailure, by: Hindrance)
    /// The disk failed, so nothing in the partial can be trusted any more.
    case damaged(JobFailure)
    /// Another attempt can't help.
    case refused(JobFailure)
    /// The transfer was stopped on request.
    case stopped
    /// The request was never sent: it was stopped or given back while it waited for another transfer of its host.
    case unsent
}

/// News of a request to a host that may answer many over one connection (HTTP/2).
public enum StreamNews: Hashable, Sendable {
    /// A small file came over a connection that others share, one of so many that there are; its answer began after
    /// so many milliseconds, and it was whole after so many, at a time on a clock that only goes forward.
    case served(milliseconds: Int64, whole: Int64, connections: Int = 1, at: Int64 = 0)
    /// The connections that there were couldn't take the request, or had gone.
    case crowded
    /// The request was given up by the host, or with its connection, or got an error of the server's.
    case refused
    /// A file is coming that is too large to share a connection with very many.
    case large
    /// The host asks everybody to wait.
    case unwilling
    /// The file came over a connection of its own, or from another host.
    case alone
}
