/// The names of copies, which lie in one folder whatever the picture is called.
enum CopyName {
    /// The longest name in bytes (limits.h, NAME_MAX).
    static let longest = 255
    /// The most bytes of a picture's name that go into those of its copies: whatever follows fits.
    private static let longestStem = 200

    /// The endings that copies' names can have.
    static let extensions = ["jpg", "png"]

    /// Returns a name: what the picture's begins with, then `mark` and `suffix`, of which nothing is cut off.
    ///
    /// - Parameters:
    ///   - name: The picture's name or path.
    ///   - mark: What distinguishes pictures of one name.
    ///   - suffix: What the copy is, and its extension.
    static func make(_ name: String, mark: String, suffix: String) -> String {
        let end = cut(safe(mark), to: longest - longestStem - suffix.utf8.count) + suffix
        return stem(name) + end
    }

    /// A picture's name without its folder, its extension, and what could hide it or steer a terminal.
    static func stem(_ name: String) -> String {
        // By scalars: a combining mark behind a slash makes another character of it.
        let last = name.unicodeScalars.split(separator: "/", omittingEmptySubsequences: true).last
        var stem = last.map { String(String.UnicodeScalarView($0)) } ?? ""
        if let dot = stem.unicodeScalars.lastIndex(of: "."), dot > stem.startIndex {
            stem = String(stem.unicodeScalars[..<dot])
        }
        stem = safe(stem)
        // A name with a dot in front is hidden, and may be that of a file of ours that isn't whole.
        if stem.unicodeScalars.first == "." {
            stem = "_" + String(String.UnicodeScalarView(stem.unicodeScalars.dropFirst()))
        }
        return stem.isEmpty ? "picture" : cut(stem, to: longestStem)
    }

    /// As much of a text as has room in so many bytes.
    private static func cut(_ text: String, to bytes: Int) -> String {
        var (kept, room) = (String.UnicodeScalarView(), bytes)
        for scalar in text.unicodeScalars {
            room -= String(scalar).utf8.count
            guard room >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func safe(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "_"
            default: scalar == "/" ? "_" : scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
