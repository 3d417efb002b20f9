/// A line of a live view with its style.
struct StyledLine: Hashable, Sendable {
    /// The look of a line.
    enum Style: String, Sendable {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
    }

    /// The text of the line.
    var text: String
    /// The style, used if colours are wanted.
    var style = Style.plain

    /// Returns the text for a terminal, shortened to its width.
    func rendered(width: Int, isStyled: Bool) -> String {
        let cut = text.cut(to: width)
        guard isStyled, style != .plain, !cut.isEmpty else { return cut }
        return "\u{1b}[\(style.rawValue)m\(cut)\u{1b}[0m"
    }
}
