/// Formats numbers for people.
enum Quantities {
    /// Returns a size: `0 B`, `999 B`, `1.2 kB`, `34 MB`.
    ///
    /// A kB is 1,000 bytes.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        // 999.5 would be rounded to 1000.
        while value >= (unit == 0 ? 1000 : 999.5), unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\(threeDigits(value)) \(units[unit])"
    }

    /// Returns a speed, given in bytes per second.
    static func rate(_ bytesPerSecond: Double) -> String {
        bytes(wholeNumber(bytesPerSecond)) + "/s"
    }

    /// Returns a duration: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`, `4 d 3 h`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0 else { return "–" }
        if seconds < 9.95 { return "\(fixed(seconds, digits: 1)) s" }
        let whole = wholeNumber(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        case ..<86_400: return "\(whole / 3600) h \(whole / 60 % 60) min"
        default: return "\(whole / 86_400) d \(whole / 3600 % 24) h"
        }
    }

    /// Returns seconds with three decimals, truncated as in the event log.
    static func elapsed(_ seconds: Double) -> String {
        // A double just below a whole millisecond counts as that.
        let milliseconds = wholeNumber(max(0, seconds) * 1000 + 0.000_5)
        return "\(milliseconds / 1000)." + String(milliseconds % 1000 + 1000).dropFirst()
    }

    /// Returns a count with its noun: `1 face`, `2 faces`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(number == 1 ? noun : noun + "s")"
    }

    /// Returns a number with commas between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var grouped = number < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return grouped
    }

    /// Returns a number rounded to a number of decimals.
    static func fixed(_ value: Double, digits: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = wholeNumber((value * Double(scale)).rounded())
        guard digits > 0 else { return String(scaled) }
        return "\(scaled / scale)." + String(scaled % scale + scale).dropFirst()
    }

    private static func threeDigits(_ value: Double) -> String {
        value < 9.95 ? fixed(value, digits: 1) : fixed(value, digits: 0)
    }

    /// Returns a whole number, clamped to the range whatever the daemon has sent.
    private static func wholeNumber(_ value: Double) -> Int64 {
        value.isFinite ? Int64(exactly: value.rounded(.down)) ?? Int64.max / 2 : 0
    }
}
