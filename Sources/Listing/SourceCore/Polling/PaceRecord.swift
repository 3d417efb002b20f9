/// A compact record of the times of requests: many of them share a moment, the last one's.
///
/// So a source may have to wait somewhat longer than its pace says, and never less.
public struct PaceRecord: Hashable, Sendable, Codable {
    /// Requests that share a moment.
    private struct Share: Hashable, Sendable, Codable {
        var moment: Double
        var count: Int
    }

    /// The most moments that are kept.
    static let mostMoments = 100

    private var shares: [Share] = []

    /// No requests.
    public init() {}

    /// A request is made.
    public mutating func note(_ pace: SourcePace, now: Double) {
        let together = max(1, (pace.count + Self.mostMoments - 1) / Self.mostMoments)
        if let last = shares.last, last.count < together {
            shares[shares.count - 1] = Share(moment: now, count: last.count + 1)
        } else {
            shares.append(Share(moment: now, count: 1))
        }
        shares.removeAll { now - $0.moment >= pace.window }
        if shares.count > Self.mostMoments + 1 { shares.removeFirst(shares.count - Self.mostMoments - 1) }
    }

    /// The record without impossible numbers.
    var limited: PaceRecord {
        var record = self
        record.shares = shares.suffix(Self.mostMoments + 1).map {
            Share(moment: $0.moment.asMoment, count: $0.count.asCount)
        }
        return record
    }

    /// The record at the start of a run, before which all of its requests were made.
    func limited(now: Double) -> PaceRecord {
        var record = self
        record.shares = shares.map { Share(moment: min($0.moment, now), count: $0.count) }
        return record
    }

    /// The earliest moment of the next request.
    public func earliest(_ pace: SourcePace, now: Double) -> Double {
        var count = 0
        for share in shares.reversed() {
            count += share.count
            if count >= pace.count { return max(now, share.moment + pace.window) }
        }
        return now
    }
}
