import HTTPRules
import JobModel

/// The parts of a slot, each of which begins anew as a whole.
extension TransferSlot {
    /// The decision about the body that is arriving.
    enum Body {
        /// Undecided, since the head hasn't arrived yet.
        case undecided
        /// Write it to the partial.
        ///
        /// `end` is the length of the partial when the body is complete, if the head tells.
        case wanted(end: Int64?)
        /// Read its first bytes, which decide; see ``Beginning``.
        case judged
        /// Read and discard it, so that the connection can be reused.
        case unwanted
    }

    /// The answer to the current request, as far as it has arrived.
    struct Answer {
        var reader = HeadReader()
        var body = Body.undecided
        /// The decoder of the body's codings; nil for a body that comes as it is, or hasn't been accepted.
        var decoder: BodyDecoder?
        /// The number of bytes that libcurl will hand over again and that are decoded already.
        var decodedAhead = 0
        var verdict: ResponseVerdict?
        /// The milliseconds after which it began, if it comes over a shared connection.
        var time: Int64?
        /// The beginning of a body that is judged by it, until that is enough.
        var beginning: Beginning?
        /// The end of the transfer, if a callback has found a reason for one.
        var failure: TransferEnd?
    }

    /// The beginning of a body whose type isn't accepted, but whose content may be.
    struct Beginning {
        var start: TransferStart
        /// The failure if it isn't.
        var refusal: JobFailure
        var bytes: [UInt8] = []
    }

    /// The work of a slot.
    enum Work {
        /// A transfer by itself.
        case alone
        /// A crew that it leads, in which it has no stream at the moment.
        case lead(SegmentCrew)
        /// A crew, of which it is the stream with this number.
        case stream(SegmentCrew, Int)
    }

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
        /// True if the body ended without any bytes before it could begin.
        var hasEnded = false
    }
}
