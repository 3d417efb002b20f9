import ArgumentParser

/// A rate as people write it: `500000`, `500k`, `2M`.
struct ByteRate: ExpressibleByArgument, Hashable {
    /// The rate in bytes per second, at least 1.
    let bytesPerSecond: Int64

    /// Parses a rate; k, M and G are powers of 1024, as in curl's --limit-rate.
    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let factor: Int64
        switch argument[digits.endIndex...].lowercased() {
        case "", "b": factor = 1
        case "k": factor = 1 << 10
        case "m": factor = 1 << 20
        case "g": factor = 1 << 30
        default: return nil
        }
        guard let number = Int64(digits) else { return nil }
        let (rate, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow, (1...1 << 50).contains(rate) else { return nil }
        bytesPerSecond = rate
    }
}
