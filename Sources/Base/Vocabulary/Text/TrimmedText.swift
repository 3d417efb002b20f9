extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The text without white space at its ends.
    public var trimmed: String {
        // Nothing has to be taken off, as a rule, and a batch has a hundred thousand URLs.
        let printable: ClosedRange<UInt8> = 0x21...0x7E
        if let first = utf8.first, let last = utf8.last, printable ~= first, printable ~= last {
            return String(self)
        }
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
