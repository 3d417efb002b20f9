/// The meaning of X-Robots-Tag fields for those who gather pictures for machine learning.
///
/// No standard has the words. Their form is that of search engines: directives after commas, in front of which may
/// stand a robot's name and a colon, for whom they are.
enum RobotsTag {
    /// The directives by which a site reserves its files from machine learning.
    private static let reservations: Set<String> = ["noai", "noimageai", "noml"]

    /// The directives that have a value behind a colon, and so are no robot's name.
    private static let valued: Set<String> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// Returns whether any of the fields reserves a file from machine learning, for all robots or for this one.
    static func reserves(_ fields: [String]) -> Bool { fields.contains(where: reserves) }

    private static func reserves(_ field: String) -> Bool {
        var isForUs = true
        for part in field.split(separator: ",") {
            var directive = trimmed(part)
            if let colon = directive.firstIndex(of: ":") {
                let name = trimmed(directive[..<colon])
                // A date may have a comma, and behind it the colons of its time; no robot's name has a blank.
                if valued.contains(name) || name.contains(" ") { continue }
                isForUs = name == "facefetch" || name == "*"
                directive = trimmed(directive[directive.index(after: colon)...])
            }
            if isForUs, reservations.contains(directive) { return true }
        }
        return false
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed()).lowercased()
    }
}
