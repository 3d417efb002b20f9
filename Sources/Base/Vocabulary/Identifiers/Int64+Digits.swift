extension Int64 {
    /// Parses a number of digits only: no sign, no space, no overflow.
    // Inlinable, because dates in answers are read with it, and through a protocol that takes several times as long.
    @inlinable
    public init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(digits)
    }
}
