import ChildProtocol
import FoundationEssentials

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
