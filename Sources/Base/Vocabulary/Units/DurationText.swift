/// Durations as people write them, alike in settings, recipes and options: `90s`, `5 min`, `1h30m`, `90d`.
///
/// A duration is a number with its unit, or several of them one after the other. Numbers may have a decimal
/// point, blanks may surround units, and letters may be of either case. The unit of a number by itself is a
/// matter of the place.
public enum DurationText {
    /// A unit of time; the raw value is its length in seconds.
    public enum Unit: Double, Sendable {
        case millisecond = 0.001
        case second = 1
        case minute = 60
        case hour = 3600
        case day = 86_400
        case week = 604_800

        fileprivate init?(_ word: String) {
            switch word {
            case "ms": self = .millisecond
            case "s", "sec": self = .second
            case "m", "min": self = .minute
            case "h": self = .hour
            case "d": self = .day
            case "w": self = .week
            default: return nil
            }
        }
    }

    /// Parses a duration in seconds; nil if it is none.
    ///
    /// - Parameters:
    ///   - bare: the unit of a number that has none; nil where one is needed.
    ///   - mayBeCapital: false where a capital `M` could be meant as months, with consequences: it is refused.
    public static func seconds(
        _ text: some StringProtocol,
        bare: Unit? = .second,
        mayBeCapital: Bool = true
    ) -> Double? {
        guard mayBeCapital || !text.contains("M") else { return nil }
        var rest = Substring(text).drop(while: \.isWhitespace)
        guard let first = WrittenNumber(takenFrom: &rest) else { return nil }
        if first.unit.isEmpty {
            guard rest.isEmpty, let bare else { return nil }
            return first.value * bare.rawValue
        }
        guard let unit = Unit(first.unit) else { return nil }
        var total = first.value * unit.rawValue
        while !rest.isEmpty {
            guard let next = WrittenNumber(takenFrom: &rest), let unit = Unit(next.unit) else { return nil }
            total += next.value * unit.rawValue
        }
        return total.isFinite ? total : nil
    }

    /// Parses a duration within bounds, in seconds; nil if it is none, or too short or long.
    ///
    /// - Parameters:
    ///   - bare: the unit of a number that has none; nil where one is needed.
    ///   - mayBeCapital: false where a capital `M` could be meant as months, with consequences: it is refused.
    public static func seconds(
        _ text: some StringProtocol,
        in range: ClosedRange<Double>,
        bare: Unit? = .second,
        mayBeCapital: Bool = true
    ) -> Double? {
        seconds(text, bare: bare, mayBeCapital: mayBeCapital).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns a duration in the largest unit up to a day of which it is a whole number.
    public static func words(seconds: Double) -> String {
        let units: [(Unit, String)] = [(.day, "d"), (.hour, "h"), (.minute, "min")]
        for (unit, name) in units
        where seconds >= unit.rawValue && seconds.remainder(dividingBy: unit.rawValue) == 0 {
            return "\(Int(seconds / unit.rawValue)) \(name)"
        }
        return "\(Int(seconds)) s"
    }

    /// Durations that show how they may be written.
    public static let examples = "90s, 5 min, 1h30m or 90d"

    /// Returns the words for what a place expects that takes durations of at least so many seconds.
    public static func form(from least: Double) -> String {
        "a duration from \(words(seconds: least)), written like \(examples)"
    }

    /// Returns the words for what a place expects that takes durations of so many seconds.
    public static func form(_ range: ClosedRange<Double>) -> String {
        "a duration from \(words(seconds: range.lowerBound)) to \(words(seconds: range.upperBound)), "
            + "written like \(examples)"
    }
}
