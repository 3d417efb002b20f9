extension String {
    /// The text in quotes for use in a sentence, cut after 64 characters and without control characters.
    var quoted: String {
        let text = unicodeScalars.filter { $0.properties.generalCategory != .control }
        let cut = String(String.UnicodeScalarView(text.prefix(64)))
        return "\"\(cut)\(text.count > 64 ? "…" : "")\""
    }
}
