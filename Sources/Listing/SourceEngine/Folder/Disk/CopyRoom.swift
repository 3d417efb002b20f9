import Glibc

/// The room that there is for copies of lists: they never take what is kept free, nor what the store has kept for
/// itself.
struct CopyRoom: Sendable {
    /// Returns the bytes to leave free on the disk.
    var reserve: @Sendable () -> Int64 = { 0 }
    /// Runs a body that writes, unless nothing may be written now; returns whether it ran.
    var mayWrite: @Sendable (_ body: () -> Void) -> Bool = { body in
        body()
        return true
    }

    /// Looks whether there is room for so many bytes more of an open copy, which has so many when it is whole.
    func check(_ copy: Int32, needing needed: Int64, whole: Int64) throws(FileCopy.Failure) {
        var status = statvfs()
        guard fstatvfs(copy, &status) == 0 else { return }
        let reserve = reserve()
        let block = Int64(clamping: status.f_frsize)
        func bytes(_ blocks: UInt) -> Int64 {
            let (product, overflow) = Int64(clamping: blocks).multipliedReportingOverflow(by: block)
            return overflow ? .max : product
        }
        let most = max(0, bytes(status.f_blocks) - reserve)
        // Waiting would not help.
        guard whole <= most else { throw .neverFits(whole, most: most) }
        guard bytes(status.f_bavail) - reserve >= needed else { throw .noRoom(whole, reserve: reserve) }
    }
}
