/// The speeds of a crew's streams of late, by which one that has become slow is told from the others; times are in
/// milliseconds.
struct StreamSpeeds: Hashable, Sendable {
    private struct Stream: Hashable {
        /// The offset that it had come to at the last look.
        var offset: Int64
        /// The bytes per millisecond between the last two looks; nil before the second.
        var rate: Double?
    }

    /// The shortest time between two looks, which is long beside most round trips.
    static let interval: Int64 = 200

    private var streams: [Int: Stream] = [:]
    private var lookedAt: Int64?

    /// Notes the offsets that streams have come to; returns false if the last look was only just.
    mutating func look(at offsets: @autoclosure () -> [Int: Int64], now: Int64) -> Bool {
        let time = lookedAt.map { now - $0 }
        if let time, time < Self.interval { return false }
        lookedAt = now
        let before = streams
        streams = [:]
        for (number, offset) in offsets() {
            let gone = before[number].map { Double(offset - $0.offset) }
            streams[number] = Stream(
                offset: offset,
                rate: time.flatMap { time in gone.map { $0 / Double(time) } }
            )
        }
        return true
    }

    /// Returns the bytes per millisecond that a stream has brought of late; nil where that isn't known.
    func rate(of stream: Int) -> Double? { streams[stream]?.rate }
}
