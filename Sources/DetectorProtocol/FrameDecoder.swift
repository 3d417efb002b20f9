import FoundationEssentials

/// Splits bytes into messages as they arrive.
///
/// It never holds more than one message of ``DetectorFrame/maximumLength`` and what came in the same
/// read.
public struct FrameDecoder: Sendable {
    private var bytes: [UInt8] = []

    /// Creates a decoder for the start of a pipe.
    public init() {}

    /// True if the pipe may end here, because no part of a message has arrived.
    public var isBetweenMessages: Bool { bytes.isEmpty }

    /// Adds bytes that have arrived.
    public mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

    /// Returns the next complete message, which must be of this kind; nil if more bytes are needed.
    ///
    /// Throws a ``FrameError``, and throws it again with every further call.
    public mutating func next<Message: Decodable>(
        _ kind: Message.Type
    ) throws(FrameError) -> Message? {
        let header = DetectorFrame.headerLength
        guard bytes.count >= header else { return nil }
        let length = bytes.prefix(header).reduce(0) { $0 << 8 | Int($1) }
        guard length <= DetectorFrame.maximumLength else { throw .oversize(length) }
        guard bytes.count >= header + length else { return nil }
        let message: Message
        do {
            message = try JSONDecoder().decode(Message.self, from: Data(bytes[header..<header + length]))
        } catch {
            throw .garbage("\(error)")
        }
        bytes.removeFirst(header + length)
        return message
    }

    /// Returns so many bytes that follow a message as they are; nil if more have to arrive first.
    public mutating func nextBytes(_ count: Int) -> [UInt8]? {
        guard bytes.count >= count else { return nil }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
