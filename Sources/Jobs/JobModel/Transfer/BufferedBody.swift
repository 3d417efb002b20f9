import Synchronization

/// The whole body of a small file, which is still in memory and nowhere else.
///
/// It goes from the transfer thread, which has collected it, to the document store, which writes it. It can
/// be large, so it is passed on and never copied.
public final class BufferedBody: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    private let room: BufferRoom
    private let taken: Int

    /// Creates a body of bytes for which `taken` bytes of room were reserved; these are given back once nobody
    /// has the body any more.
    public init(_ bytes: [UInt8], of room: BufferRoom, taken: Int) {
        self.bytes = bytes
        self.room = room
        self.taken = taken
    }

    deinit { room.giveBack(taken) }

    /// The number of bytes.
    public var length: Int64 { Int64(bytes.count) }
}

extension BufferedBody: Hashable {
    /// A body is only equal to itself: there is no other with its bytes.
    public static func == (one: BufferedBody, other: BufferedBody) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The bound on the bodies that are in memory together, from their first byte until they are written.
public final class BufferRoom: Sendable {
    private let limit: Int
    private let taken = Atomic<Int>(0)

    public init(limit: Int) { self.limit = limit }

    /// Reserves room; returns false if there is none left.
    public func reserve(_ count: Int) -> Bool {
        let before = taken.wrappingAdd(count, ordering: .relaxed).oldValue
        if before + count <= limit { return true }
        giveBack(count)
        return false
    }

    /// Releases reserved room.
    public func giveBack(_ count: Int) { taken.wrappingSubtract(count, ordering: .relaxed) }
}
