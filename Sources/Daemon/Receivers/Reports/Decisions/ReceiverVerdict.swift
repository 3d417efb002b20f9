/// The meaning of a receiver's answer for the report that it was sent.
enum ReceiverVerdict: Hashable, Sendable {
    /// The receiver has it; it wants no other for this many seconds.
    case taken(pause: Double)
    /// The receiver won't ever take this one.
    case refused(String)
    /// The receiver doesn't have it; `pause` is how many seconds it wants nothing, if it says so.
    case failed(String, pause: Double?)

    /// The most seconds that a receiver can ask for.
    static let longestPause = 86_400.0
    /// The seconds to wait after status 429 without anything about them
    /// (https://develop.sentry.dev/sdk/expected-features/rate-limiting/).
    static let usualPause = 60.0

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - retryAfter: The seconds in its `Retry-After`, if it has that.
    ///   - limits: Its `X-Sentry-Rate-Limits`, if it has that, which goes before the other.
    init(status: Int, retryAfter: Double?, limits: String?) {
        let limit = limits.flatMap(Self.pause(in:))
        let answered = "the receiver answered with status \(status)"
        switch status {
        case 200..<300: self = .taken(pause: limit ?? 0)
        case 400, 413, 422: self = .refused(answered)
        case 429:
            let pause = limit ?? retryAfter.map { min(max($0, 0), Self.longestPause) } ?? Self.usualPause
            self = .failed(answered, pause: pause)
        default:
            self = .failed(answered, pause: limit ?? retryAfter.map { min(max($0, 0), Self.longestPause) })
        }
    }

    /// Returns how many seconds a receiver wants no errors: the longest of the limits that concern them.
    ///
    /// Each limit is `SECONDS:CATEGORY;CATEGORY:SCOPE…`; without a category it concerns everything.
    static func pause(in limits: String) -> Double? {
        let pauses = limits.utf8.prefix(2000).split(separator: UInt8(ascii: ",")).compactMap {
            limit -> Double? in
            let parts = limit.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }.lowercased() }
            guard parts.count >= 2, let seconds = Double(parts[0]), seconds.isFinite, seconds >= 0 else {
                return nil
            }
            let categories = parts[1].split(separator: ";")
            guard categories.isEmpty || categories.contains("error") || categories.contains("default") else {
                return nil
            }
            return min(seconds, longestPause)
        }
        return pauses.max()
    }
}
