import Glibc
import SmallFiles

/// A copy of a file's contents where listers may read it, which nobody else changes.
struct FileCopy {
    /// The reason why a file can't be copied.
    enum Failure: Error, Hashable, Sendable {
        /// It can't be opened or read.
        case unreadable(FolderFailure)
        /// It is something other than a regular file.
        case irregular
        /// It is larger than it may be.
        case tooLarge(Int64)
        /// Somebody was writing to it meanwhile.
        case changing
        /// The copy can't be written.
        case unwritable(FolderFailure)
        /// The disk for copies has no room for one of so many bytes, beyond what is kept free.
        case noRoom(Int64, reserve: Int64)
        /// The disk for copies never has room for one of so many bytes: it is no larger than that.
        case neverFits(Int64, most: Int64)
        /// Nobody waits for it any more.
        case over
    }

    let name: EntryName
    let folder: Folder
    /// The most bytes.
    let limit: Int64
    let room: CopyRoom
    let isOver: () -> Bool

    /// What was copied.
    struct Copied: Hashable, Sendable {
        /// The user whose file it is.
        var owner: UInt32
        /// The file as it was.
        var mark: Sighting.Mark
        /// True if it ended in a whole line.
        var endsLine: Bool
    }

    /// Makes the copy.
    func make(at path: String) throws(Failure) -> Copied {
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
        // By its length, which a sparse file's copy takes, too.
        try room.check(copy, needing: before.size, whole: before.size)
        let last = try pump(source, copy, before.size)
        var after = stat()
        guard fstat(source, &after) == 0, Sighting.Mark(after) == before else { throw .changing }
        return Copied(owner: status.st_uid, mark: before, endsLine: last == UInt8(ascii: "\n"))
    }

    /// Copies all bytes, and returns the last one.
    private func pump(_ source: Int32, _ copy: Int32, _ size: Int64) throws(Failure) -> UInt8? {
        var (total, checked): (Int64, Int64) = (0, 0)
        var last: UInt8?
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            guard !isOver() else { throw .over }
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(FolderFailure(errno: errno)) }
            guard count > 0 else { return last }
            last = buffer[count - 1]
            total += Int64(count)
            guard total <= limit else { throw .tooLarge(total) }
            // Others write, too.
            if total - checked >= Self.lookInterval {
                try room.check(copy, needing: max(0, size - total) + Int64(count), whole: size)
                checked = total
            }
            var failure: FolderFailure?
            let mayWrite = room.mayWrite {
                do throws(FileFailure) { try WholeFile.write(buffer[..<count], to: copy) } catch {
                    failure = FolderFailure(errno: error.number)
                }
            }
            if let failure { throw .unwritable(failure) }
            guard mayWrite else { throw .noRoom(size, reserve: room.reserve()) }
        }
    }

    /// The bytes after which it is looked again how much room there is.
    private static let lookInterval: Int64 = 4 << 20
}
