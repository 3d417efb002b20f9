import SourceCore

/// The list that a source reads row by row, as this run of the daemon knows it.
struct OpenList: Sendable {
    /// The SHA-256 of its file.
    let sha256: String
    /// The server's response besides the list; empty where an earlier run of the daemon has fetched it.
    let response: SourceMachine.Response
    /// The place from which a compressed list can be read on without its beginning.
    ///
    /// It isn't stored: after a restart, the list is decompressed from its start once.
    var place: CompressedPlace?
}
