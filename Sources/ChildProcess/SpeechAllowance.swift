/// An allowance of lines that a child may say in the log: some at once, and then few at a time.
///
/// Children say what their libraries think of broken pictures, which may be anything and any
/// amount; the log stays readable, and learns how much was left out.
struct SpeechAllowance: Hashable, Sendable {
    /// Lines that may come at once.
    static let burst = 20
    /// How long it takes until one line more may come.
    static let interval: Duration = .seconds(3)

    private var left = Self.burst
    /// When the allowance was counted last.
    private var counted: Duration
    private var omitted = 0

    /// A full allowance.
    init(now: Duration) { counted = now }

    /// Asks for a line; nil where it is to be left out, else how many were left out before it.
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
