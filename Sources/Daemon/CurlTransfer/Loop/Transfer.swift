import JobModel
import Vocabulary

/// A job's transfer: its partial, what has arrived of it, and what is to be told of that.
///
/// One slot carries it out, with one request after the other. A large file may get a crew of slots, which all
/// have this one transfer. Explicitly not Sendable: it lives and dies on the transfer thread.
final class Transfer {
    let request: TransferRequest
    /// The URL of the first request.
    let home: JobURL
    /// The streams that fetch it together; nil for a transfer by one request at a time.
    var crew: SegmentCrew?
    /// The speed of a body that comes in one stream, as long as it could come in several; nil where it can't.
    var speed: BodySpeed?

    /// The accepted answer's statements about the body.
    var start: TransferStart?
    var file: PartialFile?
    /// The body while it is in memory, instead of in the file.
    var buffer: BodyBuffer?
    /// A body that waits to replace what the partial holds, until the store claims nothing of that.
    var replacement: Replacement?

    var report = Report()
    /// The time since which nothing has been under way that will wake it, in milliseconds; nil while there is something.
    var restsSince: Int64?
    /// The transfer's own rate limit; libcurl's would let the first buffer through unmeasured.
    var bucket: RateBucket?

    /// The last progress report.
    struct Report {
        /// The number of bytes that it reported.
        var length: Int64 = 0
        /// The time at which it was made, in milliseconds.
        var time: Int64 = 0
        /// True if there is progress to report.
        var isDue = false
    }

    /// A body that replaces another version of the file.
    struct Replacement {
        var start: TransferStart
        /// What has come of the body so far, by which its type was judged.
        var beginning: [UInt8] = []
        /// True if the body ended without any bytes before it could begin.
        var hasEnded = false
    }

    init(_ request: TransferRequest, at home: JobURL, now: Int64) {
        self.request = request
        self.home = home
        bucket = request.rateLimit.map { RateBucket(rate: $0, now: now) }
    }

    var job: JobID { request.job }

    /// The number of bytes there are of the file; nil if no body has begun.
    var count: Int64? { crew?.count ?? knownLength }

    /// The length of the file as it is on the disk or in memory; 0 if no body has begun.
    var length: Int64 { knownLength ?? 0 }

    private var knownLength: Int64? { buffer.map { Int64($0.bytes.count) } ?? file?.length }

    /// True if a kill, or a power cut, would lose more bytes than it may.
    var isAhead: Bool { crew?.isAhead ?? false }

    /// The bytes still to come; nil if the length isn't known or nothing is written.
    var promisedBytes: Int64? {
        if let crew { return max(0, crew.plan.total - crew.count) }
        guard let total = start?.total, buffer != nil || file != nil else { return nil }
        // Bodies in memory have taken no room yet.
        return max(0, total - (file?.length ?? 0))
    }

    /// The bytes that can still be written to the partial's disk; nil if unknown.
    var freeBytes: Int64? {
        if let bytes = file?.freeBytes { return bytes }
        let path = request.partialPath
        return path.lastIndex(of: "/").flatMap { PartialFile.freeBytes(at: String(path[..<$0])) }
    }

    /// Forgets what is in memory of the body.
    func giveUpBuffer() {
        buffer?.giveUp()
        buffer = nil
    }

    /// Closes the partial, and lets go of everything else that others could have.
    func close() {
        crew = nil
        speed = nil
        file = nil
        start = nil
        giveUpBuffer()
        replacement = nil
    }
}
