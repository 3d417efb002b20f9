import DetectorProtocol
import JobModel
import Vocabulary

/// Splits what a detector writes into what it says: a greeting, then answers, some with a thumbnail behind
/// them.
///
/// Whether that is believed, ``DetectionResult`` decides.
struct DetectorSpeech: ChildSpeech {
    /// Something that it has said.
    enum Message: Hashable, Sendable {
        case greeting(DetectorGreeting)
        case answer(DetectorResponse, thumbnail: [UInt8]?)
    }

    private var decoder = FrameDecoder()
    private var hasGreeted = false
    /// An answer whose thumbnail hasn't arrived yet.
    private var awaiting: (answer: DetectorResponse, length: Int)?

    /// Adds bytes that have arrived.
    mutating func append(_ bytes: some Sequence<UInt8>) { decoder.append(bytes) }

    /// Returns the next message; nil if more bytes have to arrive first.
    mutating func next() throws(Misbehaviour) -> Message? {
        guard hasGreeted else {
            guard let greeting = try decoder.said(DetectorGreeting.self) else { return nil }
            hasGreeted = true
            return .greeting(greeting)
        }
        if awaiting == nil {
            guard let answer = try decoder.said(DetectorResponse.self) else { return nil }
            guard let length = answer.thumbnailLength else { return .answer(answer, thumbnail: nil) }
            guard (1...PictureSize.thumb.limit).contains(length) else {
                throw Misbehaviour("a thumbnail of \(length) bytes")
            }
            awaiting = (answer, length)
        }
        guard let (answer, length) = awaiting, let bytes = decoder.nextBytes(length) else { return nil }
        guard bytes.isWholeJPEG else { throw Misbehaviour("a thumbnail that is no JPEG") }
        awaiting = nil
        return .answer(answer, thumbnail: bytes)
    }
}

extension FrameDecoder {
    /// Returns the next message; nil if more bytes have to arrive first.
    mutating func said<Message: Decodable>(_ kind: Message.Type) throws(Misbehaviour) -> Message? {
        do throws(FrameError) {
            return try next(kind)
        } catch {
            throw Misbehaviour(error)
        }
    }
}

extension [UInt8] {
    /// True if these bytes begin and end like a JPEG (ITU-T T.81, B.1.1.3); nobody here looks into it.
    var isWholeJPEG: Bool {
        count > 4 && starts(with: [0xFF, 0xD8, 0xFF]) && suffix(2).elementsEqual([0xFF, 0xD9])
    }
}
