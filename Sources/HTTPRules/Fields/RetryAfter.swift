import JobCore

/// A parser for the time that a server asks clients to wait (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Returns the seconds to wait from now, within `RetryPolicy.honouredWaits`; nil if the head has no valid value.
    ///
    /// A date counts from the server's own Date if there is one, so that it doesn't matter if the two
    /// clocks disagree.
    static func seconds(in head: ResponseHead, now: Timestamp) -> Double? {
        guard let field = head.retryAfter else { return nil }
        let asked: Double
        if let seconds = Int64(digits: field) {
            asked = Double(seconds)
        } else if field.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !field.isEmpty {
            asked = .infinity  // more digits than fit
        } else if let date = HTTPDate(field) {
            let server = head.date.flatMap(HTTPDate.init).map { Double($0.seconds) }
            asked = Double(date.seconds) - (server ?? Double(now.microseconds) / 1_000_000)
        } else {
            return nil
        }
        return RetryPolicy.honoured(asked)
    }
}
