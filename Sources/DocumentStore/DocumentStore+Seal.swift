import CLinux
import Crypto
import Foundation
import Glibc
import JobCore

extension DocumentStore {
    /// Syncs and hashes one partial.
    func seal(partialOf job: JobID, wantedName: String) -> StorageReport {
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
        if let hashed = prefix, hashed.length > Int64(status.st_size) { prefix = nil }
        var hash = prefix?.hash ?? SHA256()
        do {
            try PartialReader.read(file, from: prefix?.length ?? 0) { hash.update(bufferPointer: $0) }
        } catch {
            return Self.sealFailure(error.number, "read")
        }
        // Whatever was hashed came from memory: it is true of the disk once this says so.
        if isFollowed, fsync(file) != 0 { return Self.sealFailure(errno, "synced") }
        let sealed = SealedPartial(
            inode: UInt64(status.st_ino),
            length: Int64(status.st_size),
            sha256: hex(hash.finalize())
        )
        return .sealed(sealed, path: partialPath(of: job), freeName: freeName(like: wantedName))
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

    /// The first name like the wanted one that no document has.
    ///
    /// Another file may still take it before the rename, which then says so.
    func freeName(like wanted: String) -> String {
        // Where thousands want one name, the search goes on where it ended last.
        var number = highestNumbers.withLock { $0[wanted] } ?? 1
        var name = DocumentName.numbered(wanted, number)
        while documents.holds(name) {
            number += 1
            name = DocumentName.numbered(wanted, number)
        }
        if number > 8 {
            highestNumbers.withLock { numbers in
                if numbers.count > 10_000 { numbers.removeAll() }
                numbers[wanted] = number
            }
        }
        return name
    }

    private static func sealFailure(_ number: CInt, _ verb: String) -> StorageReport {
        let isFull = number == ENOSPC || number == EDQUOT
        return .sealFailed(
            JobFailure(
                isFull ? .diskFull : .storageError,
                "the partial file can't be \(verb): \(describe(number))"
            ),
            keepsPartial: isFull
        )
    }
}

/// Bytes as lower-case hex.
private func hex(_ digest: SHA256.Digest) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in digest {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
