/// A number at the beginning of a quantity, and the unit that follows it.
struct WrittenNumber {
    /// The number, which is never negative.
    let value: Double
    /// The letters behind it, in lower case; empty where there are none.
    let unit: String

    /// Takes digits, with or without a decimal point, and the word behind them off a text, and the blanks
    /// behind each; nil where it doesn't begin with digits.
    init?(takenFrom text: inout Substring) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let value = Double(digits), value.isFinite else { return nil }
        let rest = text.dropFirst(digits.count).drop(while: \.isWhitespace)
        let unit = rest.prefix(while: \.isLetter)
        text = rest.dropFirst(unit.count).drop(while: \.isWhitespace)
        self.value = value
        self.unit = unit.lowercased()
    }
}
