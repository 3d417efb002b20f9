extension String {
    /// In quotes for a sentence, cut off after 64 characters, control characters left out.
    var quoted: String {
        let text = unicodeScalars.filter { $0.properties.generalCategory != .control }
        let cut = String(String.UnicodeScalarView(text.prefix(64)))
        return "\"\(cut)\(text.count > 64 ? "…" : "")\""
    }
}
