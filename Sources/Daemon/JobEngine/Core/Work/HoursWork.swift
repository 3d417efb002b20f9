import JobCore
import JobModel

/// Applies what the timetable and the connection allow.
struct HoursWork {
    private let bench: Workbench
    private var clock = HoursClock()
    /// True if the machine's connection is metered, as far as known.
    var isMetered = false
    /// The moment of the last look at the clock, by which its answers are converted to moments.
    private var now: Moment?
    /// True if the wall clock shows a time before that at which the program was made.
    private var isClockWrong = false
    /// The timetable's rate as the transfers know it.
    private var told: Int64?

    init(bench: Workbench) { self.bench = bench }

    private var settings: TransferHours { bench.configuration.hours }

    /// The moment at which to look at the timetable again.
    var looksAt: Moment? {
        isClockWrong ? now?.adding(seconds: HoursClock.interval) : clock.looksAt
    }

    /// True if anything may be transferred now.
    var allowTransfers: Bool { clock.hours.rule != .pause && !isHeldByMeter && !isClockWrong }

    private var isHeldByMeter: Bool { isMetered && settings.holdsOnMetered }

    /// Looks at the timetable if it is time to, and passes its rate on.
    mutating func look(now: Moment) {
        clock.look(at: settings.timetable, in: settings.zone, now: now)
        self.now = now
        isClockWrong = bench.configuration.earliestTime.map { now.wall < $0 } ?? false
        guard clock.hours.rate != told else { return }
        told = clock.hours.rate
        bench.ports.transfers.limitRate(to: told)
    }

    /// Makes this turn look at the timetable, because it may be another one.
    mutating func reconfigured() { clock.forget() }

    /// The rate that transfers are limited to, and when the timetable changes that; nil if they aren't.
    var rate: (limit: Int64, until: Moment?)? {
        let fixed = settings.rateLimit
        guard let rate = clock.hours.rate, rate < fixed ?? .max else { return fixed.map { ($0, nil) } }
        return (rate, until)
    }

    /// The obstacles to beginning transfers.
    var holds: [EngineHold] {
        var holds: [EngineHold] = []
        if clock.hours.rule == .pause {
            holds.append(EngineHold(kind: .hours, reason: reason, until: until))
        }
        if isClockWrong, let now {
            let reason =
                "this machine's clock is wrong: it shows \(now.wall.rfc3339.prefix(10)), before this version was made; "
                + "downloads wait until it is set"
            holds.append(EngineHold(kind: .clock, reason: reason))
        }
        if isHeldByMeter {
            let reason =
                "by transfer.on-metered, downloads wait for a connection that isn't metered, as NetworkManager says "
                + "this one is"
            holds.append(EngineHold(kind: .metered, reason: reason))
        }
        return holds
    }

    private var until: Moment? {
        guard let now, let end = clock.hours.until else { return nil }
        return Moment(
            wall: end,
            steady: now.steady.adding(seconds: end.seconds(since: now.wall))
        )
    }

    /// The reason for which transfers wait, and the end of the wait by the clocks of the timetable's zone, if
    /// it names one.
    private var reason: String {
        let zone = settings.zone()
        guard let name = zone.name, let end = clock.hours.until else {
            return "by transfer.timetable, downloads are paused"
        }
        let time = Timetable.words(for: end, in: zone)
        return "by transfer.timetable, downloads are paused until \(time) in \(name)"
    }
}
