/// Limits on downloads by the time of the week and by connection.
public struct TransferHours: Sendable {
    /// The rules by the time of the week.
    public var timetable: Timetable
    /// Returns the time zone that the timetable goes by, which may become another.
    public var zone: @Sendable () -> ZoneRules
    /// The rate of all transfers together in bytes per second, whatever the time; nil for no limit.
    public var rateLimit: Int64?
    /// True if nothing is downloaded while the connection is metered.
    public var holdsOnMetered: Bool

    public init(
        timetable: Timetable = Timetable([]),
        zone: @escaping @Sendable () -> ZoneRules = { .utc },
        rateLimit: Int64? = nil,
        holdsOnMetered: Bool = false
    ) {
        self.timetable = timetable
        self.zone = zone
        self.rateLimit = rateLimit
        self.holdsOnMetered = holdsOnMetered
    }
}
