/// Bytes as they arrive on a pipe between the daemon and a child, to be taken off frame by frame: four bytes of
/// length, big-endian, then that much.
///
/// What a frame holds, and how long it may be, depends on the kind of child.
public struct FrameBytes: Sendable {
    /// The size of the length field, in bytes.
    public static let lengthSize = 4

    private var bytes: [UInt8] = []
    private var start = 0

    /// Creates the start of a pipe.
    public init() {}

    /// True if all that has arrived was taken off.
    public var isEmpty: Bool { start == bytes.count }

    /// Adds bytes that have arrived.
    public mutating func append(_ new: some Sequence<UInt8>) {
        if start > 1 << 16 || isEmpty {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The length that the next frame says it has; nil if that hasn't arrived.
    public var length: Int? { peek(Self.lengthSize).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

    /// Returns the next bytes without taking them off; nil if fewer have arrived.
    public func peek(_ count: Int) -> ArraySlice<UInt8>? {
        bytes.count - start >= count ? bytes[start..<start + count] : nil
    }

    /// Returns the next bytes and takes them off; nil if fewer have arrived.
    public mutating func read(_ count: Int) -> [UInt8]? {
        guard let next = peek(count) else { return nil }
        drop(count)
        return Array(next)
    }

    /// Takes off bytes that have arrived and are of no more use.
    public mutating func drop(_ count: Int) { start += count }

    /// Returns the length field of a frame.
    public static func header(_ length: Int) -> [UInt8] {
        let length = UInt32(clamping: length)
        return (0..<lengthSize).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0))) }
    }
}

/// An error of the process at the other end of a pipe.
///
/// After such an error, nothing more can be read from it.
public enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A length that no message can have, in bytes.
    case length(Int)
    /// An unknown kind of message, or one that isn't the other end's to send.
    case kind(UInt8)
    /// A message that isn't the JSON that was expected.
    case garbage(String)
    /// The pipe ended within a message.
    case truncated

    /// A description of the error.
    public var description: String {
        switch self {
        case .length(let length): "a message of \(length) bytes, a length that no message has"
        case .kind(let kind): "a message of the unknown kind \(kind)"
        case .garbage(let reason): "a message that makes no sense: \(reason)"
        case .truncated: "the pipe ended within a message"
        }
    }
}
