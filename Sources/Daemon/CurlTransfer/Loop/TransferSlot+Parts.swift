import JobCore
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
        /// The bytes of the body that have been taken, coded as they came.
        var received: Int64 = 0
        /// True if the connection brought what belongs to an earlier request, or makes no sense as an answer.
        var isMisled = false
        /// True if another request was sent over its connection, which can't carry two at once.
        var isCrossed = false
        /// True if the connection had been closed by the other end.
        var isTooLate = false
        /// The number of bytes that libcurl will hand over again and that are decoded already.
        var decodedAhead = 0
        var verdict: ResponseVerdict?
        /// The milliseconds after which it began, if it comes over a shared connection.
        var time: Int64?
        /// The beginning of a body that is judged by it, until that is enough.
        var beginning: Beginning?
        /// The end of the transfer, if a callback has found a reason for one.
        var failure: TransferEnd?

        /// The length of the body as it comes, if the head says; nil also where a transfer coding shows the end.
        var announced: Int64? { reader.head.contentLength }

        /// Returns whether the body is longer than announced with so many more bytes.
        func isTooLong(with count: Int) -> Bool {
            announced.map { received - Int64(decodedAhead) + Int64(count) > $0 } ?? false
        }
    }

    /// The beginning of a body whose type isn't accepted, but whose content may be.
    struct Beginning {
        var start: TransferStart
        /// The failure if it isn't.
        var refusal: JobFailure
        var bytes: [UInt8] = []
    }

    /// The sending of the current request.
    struct Sending {
        /// The time at which it was sent, in milliseconds.
        var time: Int64 = 0
        /// The time at which it was about to go out on its connection, in microseconds.
        var began: Int64 = 0
        /// The shortest round trip on that connection by then, in microseconds.
        var shortestRoundTrip: Int64 = 0
        /// The time at which it was last seen to wait for a connection, in milliseconds; 0 for never.
        var waitedUntil: Int64 = 0
        /// The number of answers that its host had given by then.
        var answersSeen = 0
        /// The number of times that it was given to libcurl again, since it waited there for nobody.
        var wakes = 0
        /// The number of times that requests of the transfer were sent again, since they were lost with a shared
        /// connection.
        var resends = 0
        /// True if it makes a new connection, as whose first it is answered even by a host that closes each after
        /// an answer.
        var needsNewConnection = false
    }

    /// A stream of a crew: the request for a part of the file.
    struct Stream {
        let crew: SegmentCrew
        let number: Int
        /// The number of redirects that its request has followed without asking.
        var shortcut = 0
    }
}
