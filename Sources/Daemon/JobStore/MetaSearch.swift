import GRDB
import JobModel

/// The search for members of a job's ``JobMeta``.
enum MetaSearch {
    /// An SQL condition for jobs that have a member, with the parameters ``values(_:)``.
    ///
    /// Most rows are told apart by SQLite's own `instr`; the function is asked about the others, in which the
    /// same text may stand deeper in the object.
    static let condition = """
        ((instr(meta, ?) > 0 OR instr(meta, ?) > 0) AND meta_text(meta, ?) = ?)
        """

    /// Returns the values of the parameters of ``condition``.
    static func values(_ member: JobFilter.MetaMember) -> [DatabaseValue] {
        let key = JobMeta.quoted(member.key) + ":"
        let patterns = [key + JobMeta.quoted(member.value), key + member.value]
        return (patterns + [member.key, member.value]).map(\.databaseValue)
    }

    /// The SQL function `meta_text`, which returns the text of a top-level member.
    static let metaText = DatabaseFunction("meta_text", argumentCount: 2, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]), let key = String.fromDatabaseValue(values[1])
        else { return nil }
        // Read as a whole: nothing is found in damaged text.
        return (try? JobMeta(json: text.utf8))?.text(of: key)
    }
}
