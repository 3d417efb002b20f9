import Glibc
import JobCore

/// A file of written bytes beside the store, whose space is given to the store when the disk has no
/// other.
///
/// On ext4, XFS and tmpfs the space is certain to become free. A file system that copies on write or
/// compresses may free less.
struct StoreReserve {
    private static let length = StoreRoom.reserveLength
    /// The number of bytes written at a time.
    private static let sliceLength = 4 << 20

    /// The file's path.
    let path: String

    /// Creates the reserve of a store.
    init(store: String) { path = store + "-reserve" }

    /// Frees the space; returns whether there was any.
    @discardableResult
    func release() -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard Self.length(of: descriptor) > 0, ftruncate(descriptor, 0) == 0 else { return false }
        // A journaling file system reuses blocks only once it has written that they are free.
        _ = fsync(descriptor)
        return true
    }

    /// Writes the next missing part of the file.
    func fill() -> StoreRoom.Fill {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return .noRoom }
        defer { close(descriptor) }
        let length = Self.length(of: descriptor)
        guard length < Self.length else { return .full }
        var room = statvfs()
        guard fstatvfs(descriptor, &room) == 0,
            Int64(room.f_bavail) * Int64(room.f_frsize) >= Self.length - length + StoreRoom.margin,
            Self.write(min(Self.sliceLength, Int(Self.length - length)), to: descriptor, at: length)
        else { return giveUp(descriptor) }
        guard Self.length(of: descriptor) >= Self.length else { return .more }
        return fsync(descriptor) == 0 ? .full : giveUp(descriptor)
    }

    /// Frees what has been filled, so that it isn't kept from others.
    private func giveUp(_ descriptor: CInt) -> StoreRoom.Fill {
        _ = ftruncate(descriptor, 0)
        return .noRoom
    }

    private static func length(of descriptor: CInt) -> Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func write(_ count: Int, to descriptor: CInt, at offset: Int64) -> Bool {
        let zeros = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let written = zeros[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(done))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            done += written
        }
        return true
    }
}

extension JobStore {
    /// Gives the reserve's space to the store; nobody else may write on that disk until it is filled
    /// again.
    public func releaseReserve() { reserve.release() }

    /// Fills the next part of the reserve.
    public func fillReserve() -> StoreRoom.Fill { reserve.fill() }

    /// Frees the reserve of a store that can't be opened for lack of space; returns whether there was
    /// any.
    public static func releaseReserve(of path: String) -> Bool { StoreReserve(store: path).release() }

    /// Returns the bytes that are free on the store's disk; nil if unknown.
    public func freeBytes() -> Int64? { Self.freeBytes(beside: reserve.path) }

    /// Returns the bytes that are free on the disk of a file, be it there or not; nil if unknown.
    public static func freeBytes(beside path: String) -> Int64? {
        var room = statvfs()
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard statvfs(folder, &room) == 0 else { return nil }
        return Int64(clamping: room.f_bavail).multipliedReportingOverflow(by: Int64(room.f_frsize))
            .partialValue
    }

    /// The room on the store's disk.
    var room: HistoryLimits.Room {
        var room = statvfs()
        guard statvfs(reserve.path, &room) == 0 else { return .ample }
        return HistoryLimits.Room(free: Int64(room.f_bavail) * Int64(room.f_frsize))
    }
}
