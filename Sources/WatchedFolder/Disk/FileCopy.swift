import Glibc

/// A copy of a file's contents where listers may read it, which nobody else changes.
struct FileCopy {
    /// Why a file can't be copied.
    enum Failure: Error, Hashable, Sendable {
        /// It can't be opened or read.
        case unreadable(FolderFailure)
        /// It is something else than a regular file.
        case irregular
        /// It is larger than it may be.
        case tooLarge(Int64)
        /// Somebody was writing to it meanwhile.
        case changing
        /// The copy can't be written.
        case unwritable(FolderFailure)
        /// Nobody waits for it any more.
        case over
    }

    let name: EntryName
    let folder: Folder
    /// The most bytes.
    let limit: Int64
    let isOver: () -> Bool

    /// Makes the copy; returns the user whose file it is.
    func make(at path: String) throws(Failure) -> UInt32 {
        // Without waiting for a writer, if somebody has put a FIFO in its place.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let source = name.withCString { openat(folder.descriptor, $0, flags) }
        guard source >= 0 else { throw .unreadable(FolderFailure(errno: errno)) }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0, let before = Sighting.Mark(status) else { throw .irregular }
        guard before.size <= limit else { throw .tooLarge(before.size) }
        let copy = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw .unwritable(FolderFailure(errno: errno)) }
        defer { close(copy) }
        try pump(source, copy)
        var after = stat()
        guard fstat(source, &after) == 0, Sighting.Mark(after) == before else { throw .changing }
        return status.st_uid
    }

    private func pump(_ source: Int32, _ copy: Int32) throws(Failure) {
        var total: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            guard !isOver() else { throw .over }
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(FolderFailure(errno: errno)) }
            guard count > 0 else { return }
            total += Int64(count)
            guard total <= limit else { throw .tooLarge(total) }
            do throws(FolderFailure) {
                try Self.write(buffer[..<count], to: copy)
            } catch {
                throw .unwritable(error)
            }
        }
    }

    /// Writes all of some bytes.
    static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(FolderFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FolderFailure(errno: errno) }
            rest = rest.dropFirst(count)
        }
    }
}
