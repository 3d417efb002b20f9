import CLinux
import Crypto
import Foundation
import Glibc
import JobCore

extension DocumentStore {
    /// Bytes that are hashed while somebody waits for the document; more are hashed once it is there.
    ///
    /// They take a hundredth of a second or two, also on processors without instructions for SHA-256.
    static let promptLength: Int64 = 8 << 20

    /// Syncs and hashes one partial.
    func seal(partialOf job: JobID, wantedName: String, mustHash: Bool) -> StorageReport {
        let file = openat(partials.descriptor, Self.partialName(job), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return Self.sealFailure(errno, "opened") }
        defer { close(file) }
        // The disk writes what a large file still lacks there while that is hashed.
        var prefix = hashes.take(job)
        let isFollowed = prefix != nil
        if let prefix {
            _ = CLinux_begin_writing(file, off_t(prefix.length), 0)
        } else if fsync(file) != 0 {
            return Self.sealFailure(errno, "synced")
        }
        var status = stat()
        guard fstat(file, &status) == 0 else { return Self.sealFailure(errno, "read") }
        let length = Int64(status.st_size)
        if let hashed = prefix, hashed.length > length { prefix = nil }
        var sha256: String?
        if mustHash || length - (prefix?.length ?? 0) <= Self.promptLength {
            var hash = prefix?.hash ?? SHA256()
            do {
                try PartialReader.read(file, from: prefix?.length ?? 0, to: length) {
                    hash.update(bufferPointer: $0)
                }
            } catch {
                return Self.sealFailure(error.number, "read")
            }
            sha256 = hash.finalize().hexText
        } else if let prefix {
            hashes.keep(prefix, of: job)
        }
        // Whatever was hashed came from memory: it is true of the disk once this says so.
        if isFollowed, fsync(file) != 0 { return Self.sealFailure(errno, "synced") }
        let mark = FileMark(status)
        let sealed = SealedPartial(
            inode: mark.inode,
            length: length,
            sha256: sha256,
            modified: mark.modified
        )
        return .sealed(sealed, path: partialPath(of: job), freeName: freeName(like: wantedName, for: job))
    }

    /// Syncs one partial that nobody writes to; nil when there is none.
    func synced(partialOf job: JobID) -> StorageReport? {
        let file = openat(partials.descriptor, Self.partialName(job), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fsync(file) == 0, fstat(file, &status) == 0, partials.sync() == 0 else { return .syncFailed }
        return .synced(length: Int64(status.st_size))
    }

    /// A name like the wanted one that no document has, and no other on its way.
    ///
    /// A stranger's file may still take it before the rename, which then says so.
    func freeName(like wanted: String, for job: JobID) -> String {
        names.withLock { $0.claim(wanted, for: job, isTaken: documents.holds) }
    }

    /// Why a partial can't be sealed.
    ///
    /// A failed sync is final for it, for want of room as well: the kernel may have dropped the data
    /// and called the pages clean (fsync(2)). Only what passes, and says nothing of the file, leaves it.
    private static func sealFailure(_ number: CInt, _ verb: String) -> StorageReport {
        let failure = fileFailure(number, "the partial file can't be \(verb)")
        return .sealFailed(failure, keepsPartial: failure.code == .outOfResources && verb != "synced")
    }
}
