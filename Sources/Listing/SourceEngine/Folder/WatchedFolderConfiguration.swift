/// Configuration of a watched folder.
public struct WatchedFolderConfiguration: Hashable, Sendable {
    /// The directory in which listers may read, for copies of lists.
    public var pagesDirectory: String
    /// The seconds for which a file must not have changed.
    public var patience: Double
    /// The seconds after which the folder is looked at, whatever its file system tells.
    public var interval: Double
    /// The largest list in bytes, which a sparse file has, too: ten million rows of a hundred.
    public var largestList: Int64
    /// The most jobs of a batch, as on the control socket.
    public var largestBatch: Int

    public init(
        pagesDirectory: String,
        patience: Double = 3,
        interval: Double = 30,
        largestList: Int64 = 1 << 30,
        largestBatch: Int = 100_000
    ) {
        self.pagesDirectory = pagesDirectory
        self.patience = patience
        self.interval = interval
        self.largestList = largestList
        self.largestBatch = largestBatch
    }
}
