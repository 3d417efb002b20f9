import JobModel
import Vocabulary

/// A parser for the time that a server asks clients to wait (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Returns the seconds to wait from now, which may be negative or endless; nil if the head has no valid value.
    ///
    /// A date counts from the server's own Date if there is one, so that it doesn't matter if the two
    /// clocks disagree.
    static func seconds(in head: ResponseHead, now: @autoclosure () -> Timestamp) -> Double? {
        guard let field = head.retryAfter else { return nil }
        if let seconds = digits(field) { return seconds }
        guard let date = HTTPDate(field) else { return nil }
        return Double(date.seconds) - clock(of: head, now: now())
    }

    /// Returns the seconds until a server answers again that has said that nothing remains of its quota, by the fields
    /// that many servers have in common (draft-polli-ratelimit-headers-00 §3); nil where it hasn't said both.
    ///
    /// Some count seconds, and others give the time in seconds since 1970.
    static func secondsToReset(in head: ResponseHead, now: @autoclosure () -> Timestamp) -> Double? {
        guard let remaining = head.rateLimitRemaining, Int64(digits: remaining) == 0,
            let reset = head.rateLimitReset.flatMap(digits)
        else { return nil }
        return reset < Self.earliestTime ? reset : reset - clock(of: head, now: now())
    }

    /// The number from which on a reset is a time: September 2001, or thirty years.
    private static let earliestTime = 1e9

    /// Returns the time on the server's clock, in seconds since 1970; on ours if it doesn't say.
    private static func clock(of head: ResponseHead, now: @autoclosure () -> Timestamp) -> Double {
        head.date.flatMap(HTTPDate.init).map { Double($0.seconds) } ?? Double(now().microseconds) / 1_000_000
    }

    /// Returns a number of digits; more than fit are endless.
    private static func digits(_ field: String) -> Double? {
        if let number = Int64(digits: field) { return Double(number) }
        return field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) && !field.isEmpty ? .infinity : nil
    }
}
