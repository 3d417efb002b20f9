/// The number of connections that the requests to a host which answers many over each (HTTP/2) may fill.
///
/// It begins with one. When as many requests are under way as may be, more are tried, and kept if clearly more files
/// arrive in the same time: over a long line each request waits for a round trip, and after losses one connection alone
/// is slow. How many arrive is known from how long each takes (Little's law): as many in a time as there are under way,
/// divided by the time that each takes.
///
/// Where files take little longer than their answers, the round trip is what they wait for: then all connections are
/// tried at once that there may be, since each takes some round trips to get up to speed. Else, or where all brought too
/// little, it is twice as many as there are.
struct SharedConnections: Hashable, Sendable {
    /// A number of connections, and how many files arrived over them, in files a millisecond.
    private struct Arrivals: Hashable {
        var count: Int
        var rate: Double
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
    /// The connections that there are.
    var there = 1
    /// The most connections that the next trial may take.
    private var reach = Int.max
    /// What arrived before the trial that is under way; nil if there is none.
    private var before: Arrivals?
    private var answers = 0
    /// The answers of the trial while much less than might be was under way.
    private var idle = 0
    private var (active, milliseconds) = (0.0, 0.0)
    /// The rounds until the next trial.
    private var pause = 0
    private var nextPause = Self.pauses.lowerBound

    /// True while more connections are tried.
    var isTrying: Bool { before != nil }

    /// Notes a file that took so many milliseconds beside others that were under way, while as many as `width` may be;
    /// `shortest` is the shortest time to an answer of late, in milliseconds.
    mutating func note(_ time: Int64, beside others: Int, of width: Int, most: Int, shortest: Double) {
        answers += 1
        let settled = isTrying ? Self.settling * width : 0
        guard answers > settled else { return }
        active += Double(max(1, others))
        milliseconds += Double(max(0, time))
        guard answers >= settled + width else { return }
        let arrivals = Arrivals(count: count, rate: active / max(milliseconds, 1))
        let mean = milliseconds / Double(answers - settled)
        startRound()
        if let before {
            let best = Double(count) / Double(before.count)
            guard arrivals.rate >= before.rate * (1 + Self.worth * (best - 1)) else {
                // In the end all are tried again, since lines change.
                reach = nextPause < Self.pauses.upperBound ? before.count * 2 : .max
                return giveUp()
            }
            self.before = nil
            (nextPause, reach) = (Self.pauses.lowerBound, count * 2)
        }
        if pause > 0 {
            pause -= 1
        } else if count < most, mean >= Self.shortest {
            before = arrivals
            idle = 0
            count = min(mean <= Self.waiting * shortest ? reach : count * 2, most)
        }
    }

    /// Notes a file while much less than might be was under way, of which a trial has some between others: one that
    /// gets little else is in vain, since the host has no more.
    mutating func noteIdle(of width: Int) {
        guard isTrying else { return }
        idle += 1
        if idle >= Self.patience * width { giveUp() }
    }

    /// Ends a trial, since something speaks against more requests.
    mutating func giveUp() {
        startRound()
        guard let before else { return }
        (count, self.before, pause) = (before.count, nil, nextPause)
        nextPause = min(nextPause * 2, Self.pauses.upperBound)
    }

    private mutating func startRound() { (answers, active, milliseconds) = (0, 0, 0) }
}
