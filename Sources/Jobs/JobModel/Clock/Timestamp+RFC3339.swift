extension Timestamp {
    /// Parses a date-time of RFC 3339 §5.6; nil for anything else, and for one that in UTC is before the year
    /// 0000 or after 9999, which could not be written again.
    ///
    /// Fractions of a microsecond are dropped. A leap second counts as the second after it.
    public init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = rest.number(digits: 4), rest.skip("-"),
            let month = rest.number(digits: 2, in: 1...12), rest.skip("-"),
            let day = rest.number(digits: 2, in: 1...Self.days(of: month, year)),
            rest.skip("T") || rest.skip("t") || rest.skip(" "),
            let hour = rest.number(digits: 2, in: 0...23), rest.skip(":"),
            let minute = rest.number(digits: 2, in: 0...59), rest.skip(":"),
            let second = rest.number(digits: 2, in: 0...60), let fraction = rest.fraction(),
            let offset = rest.offset(), rest.isEmpty
        else { return nil }
        let time = hour * 3600 + minute * 60 + second - offset * 60
        let seconds = CivilDate(year: year, month: month, day: day).daysSinceEpoch * 86_400 + time
        guard Self.writable.contains(seconds) else { return nil }
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }

    /// The seconds of the years 0000 to 9999.
    private static let writable = -62_167_219_200..<Int64(253_402_300_800)

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension ArraySlice<UInt8> {
    /// Skips a character if it comes next; returns whether it does.
    public mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    /// Consumes a number with a given number of digits; nil if there is none.
    fileprivate mutating func number(
        digits: Int,
        in range: ClosedRange<Int64> = 0...9999
    ) -> Int64? {
        let text = prefix(digits)
        guard text.count == digits else { return nil }
        var number: Int64 = 0
        for digit in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        removeFirst(digits)
        return range.contains(number) ? number : nil
    }

    /// Consumes a fraction of a second, in microseconds; 0 if there is none, nil for a lone point.
    fileprivate mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var count = 0
        var fraction: Int64 = 0
        while let digit = number(digits: 1) {
            if count < 6 { fraction = fraction * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in Swift.min(count, 6)..<6 { fraction *= 10 }
        return fraction
    }

    /// Consumes the offset from UTC in minutes.
    fileprivate mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(digits: 2, in: 0...23), skip(":"),
            let minutes = number(digits: 2, in: 0...59)
        else { return nil }
        return (hours * 60 + minutes) * (isEast ? 1 : -1)
    }
}
