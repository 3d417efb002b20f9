import GRDB
import JobCore

/// Looks for a text in the names and URLs of jobs.
enum TextSearch {
    /// True for a job that has the text; takes ``pattern(_:)`` twice.
    ///
    /// Almost no URL has credentials, so almost none is masked for this.
    static let condition = """
        (name LIKE ? ESCAPE '\\' OR \
        CASE WHEN instr(url, '@') = 0 THEN url ELSE masked_url(url) END LIKE ? ESCAPE '\\')
        """

    /// A pattern of LIKE for any text that contains this one.
    static func pattern(_ text: String) -> String {
        var pattern = "%"
        for character in text.unicodeScalars {
            if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
            pattern.unicodeScalars.append(character)
        }
        return pattern + "%"
    }

    /// The SQL function `masked_url`: a URL as people see it.
    static let maskedURL = DatabaseFunction("masked_url", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).flatMap { try? JobURL($0).masked }
    }
}
