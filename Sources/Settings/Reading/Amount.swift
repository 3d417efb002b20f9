/// Parses sizes and durations as people write them.
enum Amount {
    /// Parses a size in bytes: `500000`, `256 MiB`, `2 GB`, `10M`.
    ///
    /// kB, MB, GB, TB are powers of 1000, and KiB, MiB, GiB, TiB of 1024 (IEC 80000-13); k, M, G, T by
    /// themselves are powers of 1024, as in curl.
    static func bytes(_ text: String) -> Int64? {
        guard let (number, unit) = split(text) else { return nil }
        let factors: [String: Double] = [
            "": 1, "b": 1,
            "k": 1024, "kib": 1024, "kb": 1e3,
            "m": 1_048_576, "mib": 1_048_576, "mb": 1e6,
            "g": 1_073_741_824, "gib": 1_073_741_824, "gb": 1e9,
            "t": 1_099_511_627_776, "tib": 1_099_511_627_776, "tb": 1e12,
        ]
        let rate = unit.hasSuffix("/s") ? String(unit.dropLast(2)) : unit
        guard let factor = factors[rate.lowercased()] else { return nil }
        return Int64(exactly: (number * factor).rounded())
    }

    /// Parses a duration in seconds: `60`, `60 s`, `500 ms`, `5 min`, `1 h`, `7 d`.
    static func seconds(_ text: String) -> Double? {
        guard let (number, unit) = split(text) else { return nil }
        let factors: [String: Double] = [
            "": 1, "s": 1, "sec": 1, "ms": 0.001, "m": 60, "min": 60, "h": 3600, "d": 86400,
        ]
        return factors[unit.lowercased()].map { number * $0 }
    }

    /// Returns a duration in the largest unit of which it is a whole number.
    static func words(seconds: Double) -> String {
        let units: [(Double, String)] = [(86_400, "d"), (3600, "h"), (60, "min")]
        for (length, name) in units where seconds >= length && seconds.remainder(dividingBy: length) == 0 {
            return "\(Int(seconds / length)) \(name)"
        }
        return "\(Int(seconds)) s"
    }

    private static func split(_ text: String) -> (Double, String)? {
        let text = text.trimmed
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite else { return nil }
        return (number, text[digits.endIndex...].trimmed)
    }
}
