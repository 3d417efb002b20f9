/// A line of a live view, with how it looks.
struct StyledLine: Hashable, Sendable {
    /// The look of a line.
    enum Style: String, Sendable {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
    }

    /// What it says.
    var text: String
    /// How it looks, where colours are wanted.
    var style = Style.plain

    /// The text for a terminal, cut to its width.
    func rendered(width: Int, isStyled: Bool) -> String {
        let cut = text.cut(to: width)
        guard isStyled, style != .plain, !cut.isEmpty else { return cut }
        return "\u{1b}[\(style.rawValue)m\(cut)\u{1b}[0m"
    }
}
