import ChildProtocol
import FoundationEssentials

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
