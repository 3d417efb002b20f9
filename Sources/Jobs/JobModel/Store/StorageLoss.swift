/// Reports that say that a file, or the directory that it should be in, is not there any more.
extension TransferReport {
    /// True if the partial, or its place, is gone.
    public var saysStorageIsLost: Bool {
        switch self {
        case .ended(.interrupted(let failure, _)), .ended(.damaged(let failure)): failure.code == .storageLost
        default: false
        }
    }

    /// True if there was no room for the partial, as the disk or the settings say.
    public var saysDiskIsFull: Bool {
        if case .ended(.interrupted(let failure, _)) = self { failure.code == .diskFull } else { false }
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

    /// True if there was no room for a partial or a document.
    public var saysDiskIsFull: Bool {
        switch self {
        case .sealFailed(let failure, _, _), .publishFailed(let failure, _, _): failure.code == .diskFull
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

    /// The same report where others can be stored at the moment: a document that may not be put into its folder waits
    /// until somebody gives the right to, and that is nothing that it could have done better.
    ///
    /// Linux uses the same numbers on every processor (errno(3)): EPERM is 1, and EACCES is 13.
    public var withoutBlame: StorageReport {
        guard case .publishFailed(let failure, let keepsPartial, let number) = self,
            failure.code == .storageError, number == 13 || number == 1
        else { return self }
        let lost = JobFailure(.storageLost, failure.message)
        return .publishFailed(lost, keepsPartial: keepsPartial, errorNumber: number)
    }
}
