import JobModel
import Vocabulary

/// The decision about a response, made from its head alone.
///
/// A resume is proven or not done. libcurl takes a 416 for success and believes any 206, so none of this
/// is left to libcurl.
public enum ResponseVerdict: Hashable, Sendable {
    /// Take the body, which `start` describes.
    case accept(TransferStart)
    /// Take the body, which `start` describes, if its first bytes are those of an accepted picture, whatever its type
    /// says (``TransferPolicy/accepts(firstBytes:)``); otherwise drop it, since another attempt can't help.
    case acceptIfPicture(TransferStart, otherwise: JobFailure)
    /// The partial already holds the whole file of `length` bytes, and the server agrees.
    case complete(length: Int64)
    /// Drop the body and ask again for the whole file.
    ///
    /// This is never the answer to a request for the whole file, so that restarts can't loop.
    case mustRestart(reason: String)
    /// Drop the body and ask at this URL, which a ``RedirectTrail`` has still to check.
    case redirect(JobURL)
    /// Drop the body and try again, no earlier than `retryAfter` seconds from now.
    case interrupted(JobFailure, retryAfter: Double?)
    /// Drop the body; the host asks everybody to wait, for so many seconds if it says so.
    ///
    /// The seconds are as the server says, and may be negative or endless.
    case busy(JobFailure, seconds: Double?)
    /// Drop the body; another attempt can't help.
    case refused(JobFailure)

    /// Decides about a response.
    ///
    /// - Parameters:
    ///   - head: the final response, not an interim one (1xx).
    ///   - url: the URL of the request, for redirects.
    ///   - resume: what was asked for: nil for the whole file, otherwise the bytes from there on, with
    ///     If-Range.
    ///   - policy: what may be fetched at all.
    ///   - now: the current time, at which the answer came.
    public init(
        to head: ResponseHead,
        url: JobURL,
        resume: ResumePoint?,
        policy: TransferPolicy,
        now: @autoclosure () -> Timestamp
    ) {
        switch head.status {
        case let status where head.asksForBrowser:
            self = .refused(HTTPStatus.challenge(status))
        case 200, 203:
            self = Self.whole(head, resume: resume, policy: policy)
                .keeping(ServerResponse(head, from: url, at: now()))
        case 206:
            let verdict =
                resume.map { Self.part(head, from: url, resume: $0, policy: policy) }
                ?? Self.uninvitedPart(head, policy: policy)
            self = verdict.keeping(ServerResponse(head, from: url, at: now()))
        case 301, 302, 303, 307, 308:
            self = Self.redirect(head, from: url)
        case 412 where resume != nil:
            self = .mustRestart(reason: "the server says that the file has changed")
        case 416:
            self =
                resume.map { Self.unsatisfiable(head, from: url, resume: $0) }
                ?? .refused(HTTPStatus.failure(416))
        case 429:
            let seconds =
                RetryAfter.seconds(in: head, now: now()) ?? RetryAfter.secondsToReset(in: head, now: now())
            self = .busy(HTTPStatus.failure(429), seconds: seconds)
        case 403:
            self = Self.forbidden(head, now: now())
        case 503:
            let failure = HTTPStatus.failure(503)
            self =
                RetryAfter.seconds(in: head, now: now()).map { .busy(failure, seconds: $0) }
                ?? .interrupted(failure, retryAfter: nil)
        case let status where HTTPStatus.isTransient(status):
            self = .interrupted(
                HTTPStatus.failure(status),
                retryAfter: RetryAfter.seconds(in: head, now: now()).map(AskedWait.limited)
            )
        default:
            // This includes 201, 204, 205 and 304, which promise no picture and would be repeated.
            self = .refused(HTTPStatus.failure(head.status))
        }
    }

    /// Returns the verdict with what is kept of the answer, if its body is taken.
    private func keeping(_ response: @autoclosure () -> ServerResponse) -> Self {
        switch self {
        case .accept(var start):
            start.response = response()
            return .accept(start)
        case .acceptIfPicture(var start, let refusal):
            start.response = response()
            return .acceptIfPicture(start, otherwise: refusal)
        case .complete, .mustRestart, .redirect, .busy, .interrupted, .refused: return self
        }
    }

    /// Decides about a body that is the whole file, or claims to be.
    private static func whole(_ head: ResponseHead, resume: ResumePoint?, policy: TransferPolicy) -> Self {
        // An encoded body is stored decoded, so its length and validator say nothing about the stored
        // file.
        let isIdentity = head.isIdentity
        let total = isIdentity ? head.contentLength : nil
        let validator = isIdentity ? Validator(head) : nil
        let mode: TransferStart.Mode =
            if let resume {
                .restarted(reason: resume.whyWhole(head))
            } else {
                .fresh
            }
        let start = TransferStart(
            mode: mode,
            offset: 0,
            total: total,
            validator: validator,
            suggestedName: head.suggestedName,
            contentType: head.contentType
        )
        return judged(start, head, policy)
    }

    /// Decides about a 206 in answer to a request for the rest of the file.
    private static func part(
        _ head: ResponseHead,
        from url: JobURL,
        resume: ResumePoint,
        policy: TransferPolicy
    ) -> Self {
        if let doubt = resume.doubt(about: head, from: url) { return .mustRestart(reason: doubt) }
        let total = head.contentRange.flatMap(ContentRange.init)?.total
        let start = TransferStart(
            mode: .resumed,
            offset: resume.offset,
            total: total,
            validator: resume.validator,
            suggestedName: head.suggestedName,
            contentType: head.contentType
        )
        return judged(start, head, policy)
    }

    /// Decides about a 206 in answer to a request for the whole file, which is accepted if the part is
    /// the whole.
    private static func uninvitedPart(_ head: ResponseHead, policy: TransferPolicy) -> Self {
        guard head.isIdentity, let field = head.contentRange, let range = ContentRange(field),
            let bounds = range.bounds, bounds.lowerBound == 0, bounds.upperBound + 1 == range.total,
            head.contentLength == nil || head.contentLength == range.total
        else {
            return .refused(
                JobFailure(
                    .protocolError,
                    "the server sent part of the file although all of it was requested"
                )
            )
        }
        let start = TransferStart(
            mode: .fresh,
            offset: 0,
            total: range.total,
            validator: Validator(head),
            suggestedName: head.suggestedName,
            contentType: head.contentType
        )
        return judged(start, head, policy)
    }

    /// Decides about a 416 in answer to a request for the rest: either nothing is left, or the file has
    /// changed.
    private static func unsatisfiable(_ head: ResponseHead, from url: JobURL, resume: ResumePoint) -> Self {
        let total = head.contentRange.flatMap(ContentRange.init)?.total
        if let total, total == resume.offset, resume.total ?? total == total,
            resume.doubt(aboutVersionOf: head, from: url) == nil
        {
            return .complete(length: total)
        }
        let partial = "the partial file has \(resume.offset) bytes"
        return .mustRestart(
            reason: total.map { "\(partial), the file on the server has \($0)" }
                ?? "\(partial), and the server has none after those"
        )
    }

    /// Decides about a 403: some servers send it to those who have used up their quota, and say so.
    private static func forbidden(_ head: ResponseHead, now: @autoclosure () -> Timestamp) -> Self {
        let failure = HTTPStatus.failure(403)
        guard let reset = RetryAfter.secondsToReset(in: head, now: now()) else { return .refused(failure) }
        return .busy(failure, seconds: RetryAfter.seconds(in: head, now: now()) ?? reset)
    }

    private static func redirect(_ head: ResponseHead, from url: JobURL) -> Self {
        guard let location = head.location, !location.isEmpty else {
            return .refused(
                JobFailure(
                    .refusedRedirect,
                    HTTPStatus.failure(head.status).message + " without saying where to"
                )
            )
        }
        do {
            return .redirect(try url.redirected(to: location))
        } catch {
            return .refused(
                JobFailure(
                    .refusedRedirect,
                    "the server sent a redirect that cannot be followed: \(error.message)"
                )
            )
        }
    }

    /// Decides about a body that could be taken, by its type, its codings and its length.
    ///
    /// The type is what people are told of first. With one that isn't accepted, the content still may be.
    private static func judged(_ start: TransferStart, _ head: ResponseHead, _ policy: TransferPolicy) -> Self
    {
        if policy.respectsReservations, RobotsTag.reserves(head.robots) {
            let robots = head.robots.joined(separator: ", ").excerpt
            return .refused(
                JobFailure(
                    .refusedByRobots,
                    "the server says X-Robots-Tag: \(robots), which is respected here (transfer.respect-noai)"
                )
            )
        }
        let refusal = refusal(of: head, total: start.total, policy: policy)
        guard !policy.accepts(contentType: head.contentType) else {
            return refusal.map(Self.refused) ?? .accept(start)
        }
        let unexpected = JobFailure(
            .unexpectedContentType,
            "the server sent \(head.contentType?.excerpt ?? "no content type"), but only \(policy.acceptedTypes.joined(separator: ", ")) are accepted (transfer.accept)"
        )
        guard refusal == nil, policy.acceptsPictures else { return .refused(unexpected) }
        return .acceptIfPicture(start, otherwise: unexpected)
    }

    private static func refusal(of head: ResponseHead, total: Int64?, policy: TransferPolicy) -> JobFailure? {
        if !head.canBeDecoded {
            return JobFailure(
                .protocolError,
                "the server sent the file with \(head.codingFields), which can't be decoded"
            )
        }
        let maximum = min(policy.maximumLength ?? Job.largestLength, Job.largestLength)
        if let total, total > maximum { return .tooLarge(total, maximum: maximum) }
        return nil
    }
}

extension ResponseVerdict {
    /// The body that is taken, or may be.
    public var start: TransferStart? {
        switch self {
        case .accept(let start), .acceptIfPicture(let start, _): start
        case .complete, .mustRestart, .redirect, .busy, .interrupted, .refused: nil
        }
    }
}

extension ResponseHead {
    /// The file name that the server suggests.
    var suggestedName: String? { contentDisposition.flatMap(ContentDisposition.fileName) }
}
