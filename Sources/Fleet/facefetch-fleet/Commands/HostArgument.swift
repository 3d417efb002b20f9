import ArgumentParser

/// A host on a command line, as it stands in the URLs of jobs.
enum HostArgument {
    /// Refuses what is in no URL as a host, and would mean no job in silence.
    ///
    /// - Throws: An error for people that says what to write instead
    static func check(_ text: String) throws {
        if let reason = refusal(of: text) { throw ValidationError(reason) }
    }

    private static func refusal(of text: String) -> String? {
        if text.contains("*") || text.hasPrefix(".") {
            return "\(text) is a pattern: name each host, such as img.example.org."
        }
        guard !text.contains(where: { "/?#@".contains($0) || $0.isWhitespace }) else { return none(text) }
        if isAddress(text) { return "\(text) is an IPv6 address: write it in brackets, [\(text)]." }
        if text.first == "[", text.last == "]", isAddress(text.dropFirst().dropLast()) { return nil }
        // What is behind a name, or behind brackets.
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]"),
            text[colon...].dropFirst().allSatisfy(\.isNumber)
        {
            return "\(text) has a port: name the host alone, \(text[..<colon]), which means it on any port."
        }
        return text.contains(where: ":[]".contains) ? none(text) : nil
    }

    private static func none(_ text: String) -> String {
        "\(text) is no host: name it alone, such as example.org."
    }

    /// Returns whether a text looks like an IPv6 address.
    private static func isAddress(_ text: some StringProtocol) -> Bool {
        text.count { $0 == ":" } > 1 && text.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
}
