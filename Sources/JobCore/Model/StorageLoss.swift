/// Reports that say that a file, or the directory that it should be in, is not there any more.
extension TransferReport {
    /// True if the partial, or its place, is gone.
    public var saysStorageIsLost: Bool {
        switch self {
        case .ended(.interrupted(let failure, _)), .ended(.damaged(let failure)): failure.code == .storageLost
        default: false
        }
    }

    /// True if the partial could not be opened, written or synced, which may be the disk's fault.
    public var saysStorageFailed: Bool {
        switch self {
        case .ended(.interrupted(let failure, _)), .ended(.damaged(let failure)):
            failure.code == .storageError
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

    /// True if a partial or a document could not be written, synced or renamed, which may be the disk's fault.
    public var saysStorageFailed: Bool {
        switch self {
        case .sealFailed(let failure, _, _), .publishFailed(let failure, _, _): failure.code == .storageError
        default: false
        }
    }
}
