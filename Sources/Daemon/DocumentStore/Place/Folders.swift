import Glibc

/// The directories of documents and partials, as they are open at one time.
struct Folders: Sendable {
    let documents: Directory
    let partials: Directory
    /// True if the partials are in the documents directory, because a file in the state directory can't be
    /// moved into it.
    let keepsPartialsWithDocuments: Bool

    /// Finds the directory for partials whose files can be moved into a documents directory.
    ///
    /// - Parameter before: The directories that were open before, if any: those that still are where they
    ///   should be stay open.
    init(
        documents: Directory,
        state: String,
        move: Move,
        before: Folders? = nil
    ) throws(DocumentStoreError) {
        self.documents = documents
        let (usualPath, otherPath) = Self.partialPaths(state: state, documents: documents.path)
        let usual = try Self.directory(usualPath, before)
        if try Probe.canMove(move, from: usual, to: documents) {
            partials = usual
            keepsPartialsWithDocuments = false
            return
        }
        partials = try Self.directory(otherPath, before)
        keepsPartialsWithDocuments = true
        // The state directory's lock doesn't cover this directory.
        guard flock(partials.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .inUse(path: partials.path)
        }
        _ = try Probe.canMove(move, from: partials, to: documents)
    }

    /// Returns the two places where partials can be.
    static func partialPaths(state: String, documents: String) -> (usual: String, other: String) {
        (state + "/partial", documents + "/.facefetch-partial")
    }

    /// Returns the directory for partials at a path, the one that is open already if it still is there.
    ///
    /// Opened twice, it would be locked against itself.
    private static func directory(
        _ path: String,
        _ before: Folders?
    ) throws(DocumentStoreError) -> Directory {
        if let known = before?.partials, known.path == path, known.whereabouts == .here { return known }
        return try Directory(creating: path, mode: 0o700)
    }
}
