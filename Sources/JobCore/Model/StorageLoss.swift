/// Reports that say that a file, or the directory that it should be in, is not there any more.
extension TransferReport {
    /// True if the partial, or its place, is gone.
    public var saysStorageIsLost: Bool {
        switch self {
        case .ended(.interrupted(let failure, _)), .ended(.damaged(let failure)): failure.code == .storageLost
        default: false
        }
    }
}

extension StorageReport {
    /// True if a partial or a document, or its place, is gone.
    public var saysStorageIsLost: Bool {
        switch self {
        case .sealFailed(let failure, _, _), .publishFailed(let failure, _, _): failure.code == .storageLost
        default: false
        }
    }
}
