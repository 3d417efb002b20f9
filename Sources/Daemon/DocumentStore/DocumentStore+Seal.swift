import CLinux
import Digests
import Foundation
import Glibc
import JobModel
import Vocabulary

extension DocumentStore {
    /// The bytes that are hashed while somebody waits for the document; more are hashed after
    /// publishing.
    ///
    /// They take one or two hundredths of a second, even on processors without instructions for SHA-256.
    static let promptLength: Int64 = 8 << 20

    /// Gives a partial its time of modification, syncs and hashes it.
    func seal(
        partialOf job: JobID,
        wantedName: WantedName,
        mustHash: Bool,
        _ traits: DocumentTraits
    ) -> StorageReport {
        let file = openat(partials.descriptor, Self.partialName(job), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return Self.sealFailure(errno, "opened") }
        defer { close(file) }
        // Before it is synced, so that the time lasts as long as the content.
        if let modified = traits.modified { Self.setTime(modified, of: file) }
        // The disk can write the rest of a large file while it is hashed.
        var prefix = hashes.removePrefix(of: job)
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
        // The hash is of data in memory, so it is only true of the disk once this has succeeded.
        if isFollowed, fsync(file) != 0 { return Self.sealFailure(errno, "synced") }
        let mark = FileMark(status)
        let sealed = SealedPartial(
            inode: mark.inode,
            length: length,
            sha256: sha256,
            modified: mark.modified
        )
        let name = traits.name(wantedName.name, firstBytes: Self.firstBytes(of: file))
        let folder = wantedName.layout.folder(sha256: sha256)
        return .sealed(
            sealed,
            path: partialPath(of: job),
            freeName: freeName(like: name, in: folder, for: job),
            wantedName: name == wantedName.name ? nil : name
        )
    }

    /// Returns the bytes by which a picture is known; fewer, or none, where they can't be read.
    private static func firstBytes(of file: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try? PartialReader.read(file, from: 0, to: Int64(PictureKind.signatureLength)) { bytes += $0 }
        return bytes
    }

    /// Sets a file's time of modification, in seconds since 1970.
    ///
    /// Where a file system keeps no such times, the document is worth no less.
    static func setTime(_ modified: Int64, of file: CInt) {
        // UTIME_OMIT of sys/stat.h, which Swift doesn't import: the time of the last use stays.
        let omitted = (1 << 30) - 2
        let times = [timespec(tv_sec: 0, tv_nsec: omitted), timespec(tv_sec: Int(modified), tv_nsec: 0)]
        _ = futimens(file, times)
    }

    /// Syncs an idle partial; nil if there is none.
    func synced(partialOf job: JobID) -> StorageReport? {
        let file = openat(partials.descriptor, Self.partialName(job), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fsync(file) == 0, fstat(file, &status) == 0, partials.sync() == 0 else { return .syncFailed }
        return .synced(length: Int64(status.st_size))
    }

    /// Returns a name like the wanted one that no document in a folder has, and that isn't claimed for another one.
    ///
    /// Another program's file may still take it before the rename, which then reports that.
    func freeName(like wanted: String, in folder: DocumentFolder, for job: JobID) -> String {
        names.withLock { $0.claim(wanted, in: folder, for: job, isTaken: documents.holds) }
    }

    /// Returns the report for a partial that can't be sealed.
    ///
    /// A failed sync is final for it, even for lack of space, because the kernel may have dropped the
    /// data and still marked the pages clean (fsync(2)). Only temporary errors that say nothing about
    /// the file leave it usable.
    private static func sealFailure(_ number: CInt, _ verb: String) -> StorageReport {
        let failure = fileFailure(number, "the partial file can't be \(verb)")
        return .sealFailed(
            failure,
            keepsPartial: failure.code == .outOfResources && verb != "synced",
            errorNumber: number
        )
    }
}
