import FoundationEssentials
import Vocabulary

/// A message on the pipe between daemon and lister: four bytes of length (big-endian), a byte for the
/// kind, eight bytes for the request's id, then JSON.
public struct ListerFrame: Hashable, Sendable {
    /// The kind of a message.
    public enum Kind: UInt8, Sendable {
        /// To the lister, first: a ``ListerProgram``.
        case program = 0x50
        /// From the lister, first: a ``ListerGreeting``.
        case greeting = 0x47
        /// To the lister: a ``ListerRequest``.
        case request = 0x52
        /// From the lister: a list of ``ListedItem``.
        case items = 0x49
        /// From the lister: a list of ``ListedPage/Child``.
        case children = 0x43
        /// From the lister, at the end of an answer: a ``ListedPage``.
        case page = 0x45
        /// From the lister, at the end of an answer: a ``ListerFailure``.
        case failure = 0x46
        /// To a lister that reads recipes: a ``RecipeRequest``.
        case recipe = 0x54
        /// From such a lister: a ``RecipeAnswer``.
        case values = 0x56

        /// The most bytes after the length field.
        public var maximumLength: Int {
            switch self {
            // Every byte of a recipe that is stored may be an escape of six.
            case .recipe, .values: 16 << 20
            default: ListerFrame.maximumLength
            }
        }
    }

    /// The most bytes after the length field of a message that isn't a recipe.
    public static let maximumLength = 1 << 20
    /// The bytes before the JSON: length, kind and id.
    public static let headerLength = 13

    /// The kind of message.
    public var kind: Kind
    /// The id of the request; 0 for the program and the greeting.
    public var id: UInt64
    /// The message as JSON.
    public var body: [UInt8]

    public init(_ kind: Kind, id: UInt64 = 0, body: [UInt8]) {
        self.kind = kind
        self.id = id
        self.body = body
    }

    /// Creates a frame from a message.
    public init(_ kind: Kind, id: UInt64 = 0, _ message: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        self.init(kind, id: id, body: Array(try encoder.encode(message)))
    }

    /// The frame as sent on the pipe.
    public var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(body.count + Self.headerLength)
        bytes += FrameBytes.header(body.count + Self.headerLength - FrameBytes.lengthSize)
        bytes.append(kind.rawValue)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * UInt64($0))) }
        return bytes + body
    }

    /// Decodes the message.
    public func decode<Message: Decodable>(_ kind: Message.Type) throws -> Message {
        try JSONDecoder().decode(kind, from: Data(body))
    }
}

/// Splits bytes into frames as they arrive, holding at most one frame and what came with it.
public struct ListerFrameReader: Sendable {
    private var bytes = FrameBytes()

    /// Creates a reader for the start of a pipe.
    public init() {}

    /// True if the pipe may end here.
    public var isBetweenFrames: Bool { bytes.isEmpty }

    /// Adds bytes that have arrived.
    public mutating func append(_ new: some Sequence<UInt8>) { bytes.append(new) }

    /// Returns the next complete frame; nil if more bytes are needed.
    public mutating func next() throws(FrameError) -> ListerFrame? {
        let (size, header) = (FrameBytes.lengthSize, ListerFrame.headerLength)
        guard let length = bytes.length, let start = bytes.peek(header)?.dropFirst(size),
            let letter = start.first
        else { return nil }
        guard let kind = ListerFrame.Kind(rawValue: letter) else { throw .kind(letter) }
        guard (header - size...kind.maximumLength).contains(length) else { throw .length(length) }
        let id = start.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let frame = bytes.peek(size + length) else { return nil }
        defer { bytes.drop(size + length) }
        return ListerFrame(kind, id: id, body: Array(frame.dropFirst(header)))
    }
}
