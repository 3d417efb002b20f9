import GRDB
import JobModel

/// Documents whose names are such as sidecars have.
extension JobStore {
    /// The condition of the index in ``Schema`` for names of sidecars.
    static let isSidecarName = "lower(substr(name, -4)) = '.xmp'"

    /// Returns the paths of the documents with a name that ends in `.xmp`, whatever the case of its letters,
    /// and whether it is about to be given to another.
    ///
    /// For other names it returns nothing. It waits for the store's readers, so it isn't for the engine.
    public func documents(likeSidecar name: String) throws -> (paths: [String], isReserved: Bool) {
        try database.read { database in
            let paths = try String.fetchAll(
                database,
                sql: """
                    SELECT path FROM jobs
                    WHERE name = ? COLLATE NOCASE AND path IS NOT NULL AND \(Self.isSidecarName)
                    """,
                arguments: [name]
            )
            // Between its renaming and the row that says so, a document has only its reservation.
            let isReserved = try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM jobs
                    WHERE reserved_name IS NOT NULL
                        AND substr('/' || reserved_name, -length(?1)) = ?1 COLLATE NOCASE)
                    """,
                arguments: ["/" + name]
            )
            return (paths, isReserved == true)
        }
    }
}
