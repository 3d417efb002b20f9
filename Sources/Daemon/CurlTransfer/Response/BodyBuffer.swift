import JobModel

/// The beginning of a small body, which is kept in memory until it is whole.
///
/// A small file is then written, hashed and named in one go, by threads that may wait for the disk. What
/// takes long or turns out to be large goes to the partial after all.
struct BodyBuffer {
    /// The bytes that have arrived.
    private(set) var bytes: [UInt8] = []
    /// The time at which the body began, in milliseconds of the monotonic clock.
    let since: Int64
    private let room: BufferRoom
    private let taken: Int

    /// The longest body, in bytes, that is kept in memory: a kill costs it.
    static let limit = 128 << 10
    /// The longest time, in milliseconds, for which a body is kept in memory.
    static let longest: Int64 = 1000
    /// The most bytes of bodies in memory together, until they are written.
    static let limitOfAll = 8 << 20

    /// Begins a body; nil if it is too long, or if there is no room for it in memory.
    init?(total: Int64?, room: BufferRoom, now: Int64) {
        let length = total.map { Int(clamping: $0) } ?? Self.limit
        guard length <= Self.limit, room.reserve(length) else { return nil }
        self.room = room
        since = now
        taken = length
        if total != nil { bytes.reserveCapacity(length) }
    }

    /// Appends bytes; returns false if there is no room for them.
    mutating func append(_ more: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + more.count <= taken else { return false }
        bytes.append(contentsOf: more)
        return true
    }

    /// The body, now that it is whole.
    var body: BufferedBody { BufferedBody(bytes, of: room, taken: taken) }

    /// Releases the room, because the body goes elsewhere.
    func giveUp() { room.giveBack(taken) }
}
