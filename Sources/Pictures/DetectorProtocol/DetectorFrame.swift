import FoundationEssentials
import Vocabulary

/// The frame of a message on a pipe: four bytes of length, big-endian, then that much JSON.
public enum DetectorFrame {
    /// The longest message, in bytes: ``DetectorResponse/maximumFaceCount`` faces with their landmarks take
    /// most of it in a picture of a gigapixel, the largest that is decoded.
    public static let maximumLength = 1 << 20
    /// The size of the length field before each message, in bytes.
    public static let headerLength = FrameBytes.lengthSize

    /// Returns a message as sent on the pipe.
    ///
    /// Throws `FrameError.length` for a message that the other side would refuse, and any error
    /// of the encoder, such as for numbers that JSON doesn't have.
    public static func encode(_ message: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let body = try encoder.encode(message)
        guard body.count <= maximumLength else { throw FrameError.length(body.count) }
        return FrameBytes.header(body.count) + body
    }
}

/// Splits bytes into messages as they arrive.
///
/// It never holds much more than one message of ``DetectorFrame/maximumLength`` and what came in the same
/// read.
public struct FrameDecoder: Sendable {
    private var bytes = FrameBytes()

    /// Creates a decoder for the start of a pipe.
    public init() {}

    /// True if the pipe may end here, because no part of a message has arrived.
    public var isBetweenMessages: Bool { bytes.isEmpty }

    /// Adds bytes that have arrived.
    public mutating func append(_ new: some Sequence<UInt8>) { bytes.append(new) }

    /// Returns the next complete message, which must be of this kind; nil if more bytes are needed.
    ///
    /// Throws a `FrameError`, and throws it again with every further call.
    public mutating func next<Message: Decodable>(
        _ kind: Message.Type
    ) throws(FrameError) -> Message? {
        guard let length = bytes.length else { return nil }
        guard length <= DetectorFrame.maximumLength else { throw .length(length) }
        guard let frame = bytes.peek(DetectorFrame.headerLength + length) else { return nil }
        let message: Message
        do {
            let body = Data(frame.dropFirst(DetectorFrame.headerLength))
            message = try JSONDecoder().decode(Message.self, from: body)
        } catch {
            throw .garbage("\(error)")
        }
        bytes.drop(frame.count)
        return message
    }

    /// Returns so many bytes that follow a message as they are; nil if more have to arrive first.
    public mutating func nextBytes(_ count: Int) -> [UInt8]? { bytes.read(count) }
}
