/// Decides when a body comes so slowly that its connection is ended: one byte now and then is as good
/// as none, and what has come of a large body takes memory meanwhile.
///
/// A head has to be there after a while, whatever trickles in. So has a small body, and each further
/// piece of a large one.
struct BodyPace {
    /// How much has to come of a large body in the time that an idle connection may say nothing, in
    /// bytes: 4 KiB a second, where that is a minute.
    static let piece = 256 << 10

    /// How much is to be there at the deadline.
    private var wanted = 0

    /// Whether so much of a body puts the deadline off by another while.
    mutating func has(_ size: Int) -> Bool {
        guard size >= wanted else { return false }
        wanted = size + Self.piece
        return true
    }
}
