import DetectorProtocol
import Vocabulary

/// Splits what a picture process writes into what it says: a greeting, then an answer to each request, with the
/// bytes of a JPEG behind it.
struct PictureSpeech: ChildSpeech {
    /// Something that it has said.
    enum Message: Hashable, Sendable {
        case greeting(DetectorGreeting)
        case answer(PictureMaker.Outcome)
    }

    private var decoder = FrameDecoder()
    private var hasGreeted = false
    /// The request that it is at.
    private var request: PictureRequest?
    /// The length of the JPEG that hasn't arrived yet.
    private var awaited: Int?

    /// Notes that it is asked for a picture.
    mutating func expect(_ request: PictureRequest) { self.request = request }

    /// Adds bytes that have arrived.
    mutating func append(_ bytes: some Sequence<UInt8>) { decoder.append(bytes) }

    /// Returns the next message; nil if more bytes have to arrive first.
    mutating func next() throws(Misbehaviour) -> Message? {
        guard hasGreeted else {
            guard let greeting = try decoder.said(DetectorGreeting.self) else { return nil }
            guard greeting.version == DetectorGreeting.current else {
                throw Misbehaviour("speaks version \(greeting.version), not \(DetectorGreeting.current)")
            }
            hasGreeted = true
            return .greeting(greeting)
        }
        guard let request else {
            guard decoder.isBetweenMessages else { throw Misbehaviour("an answer that nobody asked for") }
            return nil
        }
        guard let outcome = try answer(to: request) else { return nil }
        self.request = nil
        return .answer(outcome)
    }

    /// Returns what has come of a request for a fingerprint.
    private static func fingerprint(
        of response: PictureResponse
    ) throws(Misbehaviour) -> PictureMaker.Outcome {
        guard response.length == nil else { throw Misbehaviour("a picture that nobody asked for") }
        guard let text = response.fingerprint else {
            return response.message == nil ? .fingerprint(nil) : .unreadable
        }
        guard response.message == nil, let fingerprint = Fingerprint(hexadecimal: text) else {
            throw Misbehaviour("a fingerprint that isn't one")
        }
        return .fingerprint(fingerprint)
    }

    /// Returns what has come of a request; nil if more bytes have to arrive first.
    private mutating func answer(to request: PictureRequest) throws(Misbehaviour) -> PictureMaker.Outcome? {
        if awaited == nil {
            guard let response = try decoder.said(PictureResponse.self) else { return nil }
            guard response.id == request.id else { throw Misbehaviour("an answer that nobody asked for") }
            if request.wantsFingerprint == true { return try Self.fingerprint(of: response) }
            guard response.fingerprint == nil else {
                throw Misbehaviour("a fingerprint that nobody asked for")
            }
            guard let length = response.length else { return .unreadable }
            guard length > 0, length <= request.limit else {
                throw Misbehaviour("a picture of \(length) bytes")
            }
            awaited = length
        }
        guard let length = awaited, let bytes = decoder.nextBytes(length) else { return nil }
        awaited = nil
        guard bytes.isWholeJPEG else { throw Misbehaviour("a picture that is no JPEG") }
        return .made(bytes)
    }
}
