/// Amounts of bytes as people write them, alike in settings, recipes and options: `500000`, `32M`, `256 MiB`.
///
/// kB, MB, GB and TB are powers of 1000, and KiB, MiB, GiB and TiB of 1024 (IEC 80000-13); k, M, G and T by
/// themselves are powers of 1024, as in curl. Numbers may have a decimal point, blanks may surround units, and
/// letters may be of either case. A rate is an amount with or without `/s` behind it.
public enum AmountText {
    /// Parses an amount, or a rate, in bytes or bytes per second; nil if it is none.
    public static func bytes(_ text: some StringProtocol) -> Int64? {
        var rest = Substring(text).drop(while: \.isWhitespace)
        guard let number = WrittenNumber(takenFrom: &rest), let factor = factor(number.unit),
            rest.isEmpty || isPerSecond(rest)
        else { return nil }
        return Int64(exactly: (number.value * factor).rounded())
    }

    /// Parses an amount within bounds, in bytes; nil if it is none, or too small or large.
    public static func bytes(_ text: some StringProtocol, in range: ClosedRange<Int64>) -> Int64? {
        bytes(text).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Parses a rate in bytes per second; nil if it is none, or not among ``rates``.
    public static func rate(_ text: some StringProtocol) -> Int64? { bytes(text, in: rates) }

    /// The rates that a transfer can be limited to, in bytes per second.
    public static let rates: ClosedRange<Int64> = 1...1 << 50

    /// Amounts that show how they may be written.
    public static let examples = "500000, 32M, 256 MiB or 2 GB"

    /// Returns the words for what a place expects that takes amounts of at least so many bytes.
    public static func form(from least: Int64) -> String {
        "a size\(least > 0 ? " of at least \(least)" : ""), written like \(examples)"
    }

    /// The words for what a place expects that takes rates.
    public static let rateForm =
        "a rate of at least 1 byte a second, written like 500000, 500k, 2M or 10 MB/s"

    private static func factor(_ unit: String) -> Double? {
        switch unit {
        case "", "b": 1
        case "kb": 1e3
        case "mb": 1e6
        case "gb": 1e9
        case "tb": 1e12
        case "k", "kib": 1024
        case "m", "mib": 1_048_576
        case "g", "gib": 1_073_741_824
        case "t", "tib": 1_099_511_627_776
        default: nil
        }
    }

    private static func isPerSecond(_ text: Substring) -> Bool {
        guard text.first == "/" else { return false }
        let unit = text.dropFirst()
        guard let letter = unit.first, letter == "s" || letter == "S" else { return false }
        return unit.dropFirst().allSatisfy(\.isWhitespace)
    }
}
