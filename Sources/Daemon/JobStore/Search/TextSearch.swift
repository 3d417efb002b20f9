import GRDB
import JobModel
import Vocabulary

/// The search for a text in the names and URLs of jobs.
enum TextSearch {
    /// An SQL condition for jobs that contain the text; its two parameters are both ``pattern(_:)``.
    static let condition = "(name LIKE ? ESCAPE '\\' OR \(shownURL) LIKE ? ESCAPE '\\')"

    /// The URL as people see it, in SQL; it is masked only if it has credentials, which almost none do.
    static let shownURL = "CASE WHEN instr(url, '@') = 0 THEN url ELSE masked_url(url) END"

    /// Returns a pattern for LIKE that matches any text containing this one.
    static func pattern(_ text: String) -> String {
        var pattern = "%"
        for character in text.unicodeScalars {
            if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
            pattern.unicodeScalars.append(character)
        }
        return pattern + "%"
    }

    /// The SQL function `masked_url`, which returns a URL as shown to people.
    static let maskedURL = DatabaseFunction("masked_url", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).flatMap(masked)
    }

    /// Returns a URL of the store as people see it; nil if it is none.
    static func masked(_ url: String) -> String? { try? JobURL(url).masked }
}
