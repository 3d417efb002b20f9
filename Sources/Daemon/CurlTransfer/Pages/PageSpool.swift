import Glibc
import JobCore
import JobModel

/// The file that a page is written to, on a disk that must not fill up.
///
/// The free space is looked at before the first byte, and now and then after that.
struct PageSpool {
    private let file: Int32
    private let reserve: Int64
    private let hold: WriteHold
    private var watch = RoomWatch()
    private var hasBegun = false

    /// Creates a spool that writes to an open file, and keeps `reserve` bytes of its disk free.
    ///
    /// While `hold` lets nobody write, the page fails as on a full disk.
    init(file: Int32, reserve: Int64, hold: WriteHold) {
        self.file = file
        self.hold = hold
        self.reserve = reserve
    }

    /// Empties the file for the body of another answer.
    mutating func restart() {
        hasBegun = false
        ftruncate(file, 0)
        lseek(file, 0, SEEK_SET)
    }

    /// Writes bytes; `announced` is the length of the whole body, if known.
    ///
    /// - Returns: why the page can't be written; nil if all is well.
    mutating func write(_ bytes: UnsafeRawBufferPointer, announced: Int64?) -> JobFailure? {
        if let shortage = shortage(before: bytes.count, announced: announced) { return shortage }
        guard let outcome = hold.write({ write(bytes) }) else { return heldUp }
        return outcome
    }

    /// The reason why nothing may be written beside the job store.
    private var heldUp: JobFailure {
        let free = freeBytes.map { "; \($0) bytes are free where pages are" } ?? ""
        return JobFailure(.diskFull, "the job store's disk is full\(free)")
    }

    private var freeBytes: Int64? {
        var status = statvfs()
        guard fstatvfs(file, &status) == 0 else { return nil }
        let free = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(status.f_frsize))
        return free.overflow ? .max : free.partialValue
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> JobFailure? {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return Self.failure(errno) }
            written += count
        }
        return nil
    }

    private mutating func shortage(before count: Int, announced: Int64?) -> JobFailure? {
        let isFirst = !hasBegun
        hasBegun = true
        guard watch.wrote(count, reserve: reserve) || isFirst else { return nil }
        guard let freeBytes else { return nil }
        let room = DiskRoom(free: freeBytes, promised: 0, reserve: reserve)
        watch.saw(room)
        guard isFirst else { return room.stop(lengthIsKnown: true) }
        return room.refusal(needing: max(announced ?? 0, Int64(count)))
    }

    /// Returns the failure for an errno.
    static func failure(_ number: Int32) -> JobFailure {
        if let shortage = JobFailure.shortage(errorNumber: number) { return shortage }
        let isFull = number == ENOSPC || number == EDQUOT
        return JobFailure(
            isFull ? .diskFull : .storageError,
            "a page can't be written: \(String(cString: strerror(number)))"
        )
    }
}
