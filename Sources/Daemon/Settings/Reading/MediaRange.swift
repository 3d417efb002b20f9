/// A media range of RFC 9110 §12.5.1, without parameters.
enum MediaRange {
    /// Returns whether a text is `type/subtype`, `type/*`, `*/*` or the word `none`.
    static func isValid(_ text: String) -> Bool {
        if text == "none" { return true }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isTokenCharacter) }) else {
            return false
        }
        return parts[0] != "*" || parts[1] == "*"
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        // The characters of a token (RFC 9110 §5.6.2).
        character.isASCII
            && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
}
