import JobCore
import JobModel

/// Watching the disk fill up while bytes arrive.
///
/// Announced lengths are compared with the free space before a transfer is accepted. This is for bodies
/// of unknown length, and for disks that others write to as well.
extension TransferLoop {
    /// Returns why a transfer that has just written `count` bytes must stop; nil if it may go on.
    func lackOfRoom(_ slot: TransferSlot, written count: Int) -> TransferEnd? {
        let reserve = configuration.diskReserve
        guard roomWatch.wrote(count, reserve: reserve), let free = slot.holder.freeBytes
        else { return nil }
        let promised = active.values.reduce(Int64(0)) { $0.saturatingAdd($1.promisedBytes ?? 0) }
        let room = DiskRoom(free: free, promised: promised, reserve: reserve)
        roomWatch.saw(room)
        let isKnown = slot.holder.promisedBytes != nil
        return room.stop(lengthIsKnown: isKnown).map { .interrupted($0, retryAfter: nil) }
    }
}

extension TransferSlot {
    /// The bytes still to come; nil if the length isn't known or nothing is written.
    fileprivate var promisedBytes: Int64? {
        if let crew { return max(0, crew.plan.total - crew.count) }
        guard case .wanted(let end?) = answer.body, buffer != nil || file != nil else { return nil }
        // Bodies in memory have taken no room yet.
        return max(0, end - (file?.length ?? 0))
    }

    /// The bytes that can still be written to the partial's disk; nil if unknown.
    fileprivate var freeBytes: Int64? {
        if let bytes = file?.freeBytes { return bytes }
        let path = request.partialPath
        return path.lastIndex(of: "/").flatMap { PartialFile.freeBytes(at: String(path[..<$0])) }
    }
}
