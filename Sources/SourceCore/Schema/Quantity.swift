/// Parses numbers with units, as used in recipes.
enum Quantity {
    /// Parses a duration in seconds: `90s`, `15m`, `6h`, `7d`, `2w`; units can be combined as in
    /// `1h30m`.
    static func seconds(_ text: String) -> Double? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        var total = 0
        var digits = ""
        var parts = 0
        for character in text where character != " " {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let unit = units[character], let number = Int(digits), number <= 100_000_000 else {
                return nil
            }
            total += number * unit
            digits = ""
            parts += 1
        }
        guard digits.isEmpty, (1...5).contains(parts), total <= 366 * 86_400 * 10 else { return nil }
        return Double(total)
    }

    /// Parses a size in bytes: `500 kB`, `32 MiB`, `1048576`.
    static func bytes(_ text: String) -> Int? {
        let units = [
            "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000,
            "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
        ]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let number = Int(digits), number <= 1 << 40, let factor = units[unit] else { return nil }
        return number * factor
    }
}
