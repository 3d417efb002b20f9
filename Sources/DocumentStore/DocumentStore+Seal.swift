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
        // First of all to the disk: a hash of what only the page cache has
        // says nothing about what a power cut leaves.
        guard fsync(file) == 0 else { return Self.sealFailure(errno, "synced") }
        var status = stat()
        guard fstat(file, &status) == 0 else { return Self.sealFailure(errno, "read") }
        var hash = SHA256()
        do {
            try Self.read(file) { hash.update(bufferPointer: $0) }
        } catch {
            return Self.sealFailure(error.number, "read")
        }
        _ = posix_fadvise(file, 0, 0, POSIX_FADV_NOREUSE)
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

    private struct ReadError: Error { var number: CInt }

    private static func read(
        _ file: CInt,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ReadError) {
        let size = 256 * 1024
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(file, buffer.baseAddress, size)
            if count < 0 {
                if errno == EINTR { continue }
                throw ReadError(number: errno)
            }
            if count == 0 { return }
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
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
