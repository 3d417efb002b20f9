/// An obstacle to a start that may pass by itself, and that the daemon waits for.
struct Obstacle: Sendable {
    /// The words for the status line.
    let words: String
    /// The words for its end, in a sentence.
    let end: String
    /// The path beside which there is no room; nil if that isn't it.
    var lacksRoomAt: String?
    /// Returns whether it is still there.
    let isThere: @Sendable () -> Bool

    /// A documents directory that can't be used.
    static func documents(end: String, isThere: @escaping @Sendable () -> Bool) -> Obstacle {
        Obstacle(words: "waiting for the documents directory", end: end, isThere: isThere)
    }
}
