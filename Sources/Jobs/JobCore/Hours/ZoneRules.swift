/// A time zone's offsets from UTC, and the moments at which its clocks change.
public struct ZoneRules: Hashable, Sendable {
    /// The zone's name, for people; nil for the machine's own.
    public var name: String?
    /// The moments at which clocks were or will be set, in seconds since 1970, ascending.
    private let changes: [Int64]
    /// The seconds ahead of UTC before the first change, and after each.
    private let offsets: [Int32]
    /// The rule for the time after the last change.
    private let yearly: YearlyClockRule?

    /// The zone whose clocks show UTC.
    public static let utc = ZoneRules(changes: [], offsets: [0], yearly: nil)

    init(changes: [Int64], offsets: [Int32], yearly: YearlyClockRule?) {
        self.changes = changes
        self.offsets = offsets
        self.yearly = yearly
    }

    /// Returns the seconds by which clocks are ahead of UTC at a time in seconds since 1970.
    public func offset(at time: Int64) -> Int64 {
        let passed = passed(at: time)
        if passed == changes.count, let yearly { return yearly.offset(at: time) }
        return Int64(offsets[passed])
    }

    /// Returns when clocks are next set after a time; nil if they never are.
    public func nextChange(after time: Int64) -> Int64? {
        let passed = passed(at: time)
        return passed < changes.count ? changes[passed] : yearly?.nextChange(after: time)
    }

    /// Returns the number of changes up to a time.
    private func passed(at time: Int64) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
