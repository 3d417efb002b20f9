import ChildProtocol
import DetectorProtocol

/// Splits what a picture process writes into what it says: a greeting, then an answer to each request, with the
/// bytes of a JPEG behind it.
struct PictureSpeech: Sendable {
    /// It said what no honest process says; nothing more can be read.
    struct Broken: Error {}

    private var decoder = FrameDecoder()
    /// The length of the JPEG that hasn't arrived yet.
    private var awaited: Int?

    /// Adds bytes that have arrived.
    mutating func append(_ bytes: some Sequence<UInt8>) { decoder.append(bytes) }

    /// Returns the greeting; nil if more bytes have to arrive first.
    mutating func greeting() throws(Broken) -> DetectorGreeting? { try message(DetectorGreeting.self) }

    /// Returns what has come of a request; nil if more bytes have to arrive first.
    mutating func answer(to request: PictureRequest) throws(Broken) -> PictureMaker.Outcome? {
        if awaited == nil {
            guard let response = try message(PictureResponse.self) else { return nil }
            guard response.id == request.id else { throw Broken() }
            guard let length = response.length else { return .unreadable }
            guard length > 0, length <= request.limit else { throw Broken() }
            awaited = length
        }
        guard let length = awaited, let bytes = decoder.nextBytes(length) else { return nil }
        awaited = nil
        guard bytes.isWholeJPEG else { throw Broken() }
        return .made(bytes)
    }

    private mutating func message<Message: Decodable>(_ kind: Message.Type) throws(Broken) -> Message? {
        do throws(FrameError) {
            return try decoder.next(kind)
        } catch {
            throw Broken()
        }
    }
}
