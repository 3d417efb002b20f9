import Glibc

/// What it takes a stream of a crew to begin, in the times of answers.
struct StreamStart: Hashable, Sendable {
    /// A stream that makes a connection; a packet that is lost before it is there costs a second (RFC 6298, section 2).
    static let connecting = StreamStart(startsSlowly: true, saved: 8)
    /// A stream that goes on over the connection that another one has left.
    static let goingOn = StreamStart(startsSlowly: false, saved: 4)

    /// The time until it brings something: one answer for its connection, and one for its request.
    private static let answers = 2.0
    /// True if its connection is in slow start.
    private let startsSlowly: Bool
    /// The time that it has to save for half of another one's rest to be taken.
    let saved: Double

    private init(startsSlowly: Bool, saved: Double) {
        (self.startsSlowly, self.saved) = (startsSlowly, saved)
    }

    /// Returns how many bytes another stream has brought by the time this one is as fast, given those that it brings in
    /// the time of an answer.
    func behind(_ rate: Double) -> Double {
        // Each answer doubles what is on the way, from ten segments on (RFC 5681, section 3.1; RFC 6928).
        let doublings = startsSlowly ? max(0, log2(rate / 14_600)) : 0
        return rate * (Self.answers + doublings * 2 / 3)
    }
}
