/// The most requests that may be begun at one host in a length of time.
public struct Pace: Hashable, Sendable {
    /// The number of requests, at least 1.
    public let requests: Int
    /// The length of time for which the number holds, in seconds, at least 1.
    public let seconds: Int

    /// Creates a pace of so many requests each so many seconds; both are raised to 1 if they are lower.
    public init(requests: Int, per seconds: Int) {
        self.requests = max(1, requests)
        self.seconds = max(1, seconds)
    }
}

/// Paces as people write them: `2/s`, `60/min`, `10/h`, `5/10s`.
extension Pace {
    /// The most requests that a pace may name, more than any host gets from one machine in a day.
    static let mostRequests = 1_000_000
    /// The longest time that a pace may be for, in seconds: a day.
    static let longestTime = 86_400

    /// Reads a pace as people write it; nil if it is none, or names too many requests or too long a time.
    ///
    /// What follows the slash is a unit of time, or a number of such.
    public init?(text: some StringProtocol) {
        guard let (requests, seconds) = Self.parts(of: String(text)), requests <= Self.mostRequests,
            seconds == seconds.rounded(), (1...Double(Self.longestTime)).contains(seconds)
        else { return nil }
        self.init(requests: requests, per: Int(seconds))
    }

    /// Reads a pace as people write it, of any number of requests and any time; nil if it is none.
    ///
    /// - Parameter mayBeCapital: false where a capital `M` could be meant as months, with consequences: it is refused.
    public static func parts(
        of text: String,
        mayBeCapital: Bool = true
    ) -> (requests: Int, seconds: Double)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let count = parts[0].trimmed
        guard count.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let requests = Int(count), requests > 0
        else { return nil }
        let time = parts[1].trimmed
        let isUnit = time.first.map { !$0.isNumber && $0 != "." } ?? true
        return DurationText.seconds(isUnit ? "1" + time : time, bare: nil, mayBeCapital: mayBeCapital)
            .map { (requests, $0) }
    }

    /// The pace as people write it.
    public var text: String {
        let units: [Int: String] = [1: "s", 60: "min", 3600: "h", 86_400: "d"]
        return "\(requests)/" + (units[seconds] ?? "\(seconds)s")
    }

    /// The words for what a place expects that takes paces.
    public static let form =
        "a number of requests in a time of up to a day, written like 2/s, 60/min, 10/h or 5/10s"
}
