/// An allowance for the lines that children may write to the log: some at once, then few at a time.
///
/// Children print what their libraries say about broken pictures, which may be anything in any quantity.
/// The log stays readable, and says how much was left out.
struct SpeechAllowance: Hashable, Sendable {
    /// The number of lines allowed at once.
    static let burst = 20
    /// The time after which another line is allowed.
    static let interval: Duration = .seconds(3)

    private var left = Self.burst
    /// The time when the allowance was last updated.
    private var counted: Duration
    private var omitted = 0

    init(now: Duration) { counted = now }

    /// Asks to write a line; returns nil if it must be omitted, otherwise the number of lines omitted
    /// before it.
    mutating func ask(now: Duration) -> Int? {
        let earned = Int(max(0, min((now - counted) / Self.interval, Double(Self.burst))))
        if earned > 0 {
            left = min(Self.burst, left + earned)
            counted = left == Self.burst ? now : counted + Self.interval * earned
        }
        guard left > 0 else {
            omitted += 1
            return nil
        }
        left -= 1
        defer { omitted = 0 }
        return omitted
    }
}
