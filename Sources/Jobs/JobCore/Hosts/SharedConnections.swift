/// The number of connections that the requests to a host which answers many over each (HTTP/2) may fill.
///
/// It begins with one. When as many requests are under way as may be, more are tried, and kept if clearly more files
/// arrive in the same time: over a long line each request waits for a round trip, and after losses one connection alone
/// is slow. How many could arrive is known from how long each takes (Little's law): as many in a time as there are under
/// way, divided by the time that each takes.
///
/// Where files take little longer than their answers, the round trip is what they wait for: then all connections are
/// tried at once that there may be, since each takes some round trips to get up to speed; or twice as many as there are,
/// where all brought too little. Where files take longer, they wait for each other, and the line may be full: more
/// requests would overflow its buffers. Then as many as before are spread over twice as many connections, or over all
/// where few requests are slow already, which helps only where each connection is slow. Of that no more is believed than
/// did arrive: what is asked for over a new connection overtakes what waits behind others.
struct SharedConnections: Hashable, Sendable {
    /// A number of connections, and how many files arrived over them, in files a millisecond.
    private struct Arrivals: Hashable {
        var count: Int
        var isSpread: Bool
        /// True if few requests were slow already.
        var isCramped: Bool
        var rate: Double
    }

    /// The rounds from one trial in vain to the next, each time twice as many.
    private struct Pause: Hashable {
        /// The rounds until the next trial.
        private var left = 0
        private var next = pauses.lowerBound

        /// True once it is as long as it gets.
        var isLongest: Bool { next >= pauses.upperBound }

        mutating func begin() { (left, next) = (next, min(next * 2, pauses.upperBound)) }

        /// Notes a round, and returns whether the pause is over.
        mutating func isOver() -> Bool {
            guard left > 0 else { return true }
            left -= 1
            return false
        }
    }

    /// The share of what more connections would bring at best that they have to bring to be kept.
    static let worth = 0.25
    /// The rounds, each of as many answers as there may be requests, in which new connections get up to speed (slow
    /// start, RFC 5681, section 3.1) before anything is measured.
    static let settling = 2
    /// The rounds of a trial with much less under way than might be after which it is given up: twice as many as a trial
    /// takes.
    static let patience = 2 * (settling + 1)
    /// The milliseconds for a file below which one connection brings as much as a machine takes.
    static let shortest = 20.0
    /// The multiple of the shortest time to an answer up to which files wait for little else than a round trip.
    static let waiting = 3.0
    /// The rounds after which more is tried again, at first and at last.
    static let pauses = 16...1024

    /// The connections that requests may fill.
    private(set) var count = 1
    /// True if requests are spread evenly over them, rather than filling one after the other.
    private(set) var isSpread = false
    /// The connections that there are.
    var there = 1
    /// The most connections that the next trial may take.
    private var reach = Int.max
    /// What arrived before the trial that is under way; nil if there is none.
    private var before: Arrivals?
    /// What arrived in the last round, in files a millisecond.
    private var lastRate = 0.0
    private var answers = 0
    /// The answers of the trial while much less than might be was under way.
    private var idle = 0
    private var (active, milliseconds) = (0.0, 0.0)
    /// The time at which a round began to be measured; nil before its first file.
    private var began: Int64?
    /// The files that have come since, and the time of the last of them.
    private var (arrived, lastArrival) = (0, Int64(0))
    /// The pauses between trials, and between those where few requests are slow already.
    private var (pause, crampedPause) = (Pause(), Pause())

    /// True while it is tried to spread as many requests as before over more connections.
    private(set) var isSpreading = false
    /// True while more connections are tried.
    var isTrying: Bool { before != nil }

    /// Notes a file that took so many milliseconds beside others that were under way, while as many as `width` may be;
    /// `shortest` is the shortest time to an answer of late, in milliseconds, and `isCramped` says that few requests are
    /// slow already.
    mutating func note(
        _ time: Int64,
        at arrival: Int64,
        beside others: Int,
        of width: Int,
        most: Int,
        shortest: Double,
        isCramped: Bool = false
    ) {
        answers += 1
        let settled = isTrying ? Self.settling * width : 0
        guard answers > settled else { return }
        noteArrival(arrival)
        active += Double(max(1, others))
        milliseconds += Double(max(0, time))
        guard answers >= settled + width else { return }
        let rate = active / max(milliseconds, 1)
        let arrivals = Arrivals(count: count, isSpread: isSpread, isCramped: isCramped, rate: rate)
        let seen = Double(arrived) / Double(max(1, lastArrival - (began ?? lastArrival)))
        let mean = milliseconds / Double(answers - settled)
        startRound()
        if let before {
            let best = Double(count) / Double(before.count)
            let believed = isSpreading ? min(rate, seen) : rate
            guard believed >= before.rate * (1 + Self.worth * (best - 1)) else {
                // In the end all are tried again, since lines change.
                if !before.isCramped { reach = pause.isLongest ? .max : before.count * 2 }
                return giveUp()
            }
            (self.before, isSpreading) = (nil, false)
            (pause, crampedPause, reach) = (Pause(), Pause(), count * 2)
        }
        let isShort = mean <= Self.waiting * shortest
        // A connection that still gets up to speed brings more by itself.
        let isSteady = rate <= lastRate * (1 + Self.worth)
        lastRate = rate
        guard isCramped ? crampedPause.isOver() : pause.isOver() else { return }
        if count < most, mean >= Self.shortest, isShort || isCramped || isSteady {
            before = arrivals
            idle = 0
            count = isCramped ? most : min(isShort ? reach : count * 2, most)
            if isCramped || !isShort { (isSpread, isSpreading) = (true, true) }
        }
    }

    /// Notes a file while much less than might be was under way, of which a trial has some between others: one that
    /// gets little else is in vain, since the host has no more.
    mutating func noteIdle(of width: Int, at arrival: Int64) {
        guard isTrying else { return }
        if began != nil { noteArrival(arrival) }
        idle += 1
        if idle >= Self.patience * width { giveUp() }
    }

    /// Ends a trial, since something speaks against more requests.
    mutating func giveUp() {
        startRound()
        guard let before else { return }
        if before.isCramped { crampedPause.begin() } else { pause.begin() }
        (self.before, count, isSpread, isSpreading) = (nil, before.count, before.isSpread, false)
    }

    private mutating func startRound() { (answers, active, milliseconds, began, arrived) = (0, 0, 0, nil, 0) }

    private mutating func noteArrival(_ time: Int64) {
        // The first one says when, and not how long it took.
        if began == nil { began = time } else { arrived += 1 }
        lastArrival = max(time, lastArrival)
    }
}
