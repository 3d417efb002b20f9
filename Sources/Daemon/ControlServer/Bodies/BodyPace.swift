/// Decides when a body arrives so slowly that its connection is closed: a trickle of bytes is as good as
/// nothing, and a large body takes up memory meanwhile.
///
/// A request's head must arrive within the deadline, however it trickles in. So must a small body, and
/// each further piece of a large one.
struct BodyPace {
    /// The bytes of a large body that must arrive within the time that a connection may be idle: 4 KiB
    /// per second if that is a minute.
    static let piece = 256 << 10

    /// The number of bytes that must have arrived by the deadline.
    private var wanted = 0

    /// Returns whether the bytes received so far extend the deadline.
    mutating func has(_ size: Int) -> Bool {
        guard size >= wanted else { return false }
        wanted = size + Self.piece
        return true
    }
}
