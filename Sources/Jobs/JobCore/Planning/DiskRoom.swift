import JobModel

/// The free space on the documents' disk, and how much of it is already promised.
public struct DiskRoom: Hashable, Sendable {
    /// The free space in bytes.
    public var free: Int64
    /// The bytes still needed by running transfers of files whose length is known.
    public var promised: Int64
    /// The bytes to keep free (`disk.reserve`).
    public var reserve: Int64

    public init(free: Int64, promised: Int64, reserve: Int64) {
        self.free = free
        self.promised = promised
        self.reserve = reserve
    }

    /// Returns why a file that needs this many more bytes can't be begun or continued; nil if it fits.
    ///
    /// ``promised`` must then cover the other transfers only.
    public func refusal(needing needed: Int64) -> JobFailure? {
        let open = max(0, free - promised)
        guard open < needed.saturatingAdd(reserve) else { return nil }
        return JobFailure(
            .diskFull,
            "the file needs \(needed) more bytes; \(open) are free, of which \(reserve) are kept free (disk.reserve)"
        )
    }

    /// True if a file of unknown length would take space promised to others if it went on.
    public var isTight: Bool { free - promised < reserve }

    /// Returns why a running transfer must stop; nil if it may go on.
    ///
    /// If its length is known, it was started with room for all of it, and stops only when somebody else
    /// has taken that room. If not, it must leave the others theirs.
    public func stop(lengthIsKnown: Bool) -> JobFailure? {
        guard lengthIsKnown ? free < reserve : isTight else { return nil }
        let others = promised > 0 && !lengthIsKnown ? "; other transfers need \(promised)" : ""
        return JobFailure(
            .diskFull,
            "only \(max(0, free)) bytes are free, and \(reserve) are kept free (disk.reserve)\(others)"
        )
    }

    /// Returns how many bytes may be written before the free space is checked again, small enough to use
    /// little of the reserve.
    public static func lookInterval(reserve: Int64) -> Int64 { min(4 << 20, max(64 << 10, reserve / 4)) }
}

extension Job {
    /// Returns the bytes that another attempt needs beyond the `held` bytes of the partial, as far as
    /// that is known; nil for a job that has never found the disk full.
    ///
    /// Of a file of unknown length it is only known to be longer than what had arrived when space ran
    /// out, so it isn't fetched again into a space that is known to be too small.
    public func neededRoom(held: Int64) -> Int64? {
        guard toldOfFullDisk else { return nil }
        if let totalBytes { return max(0, totalBytes - held) }
        return max(0, furthestBytes - held) + max(1 << 20, furthestBytes / 8)
    }
}

extension Job {
    /// The length in bytes from which a file of unknown length ends where it fills the disk twice.
    ///
    /// What is shorter was hardly what filled it, and waits as long as that takes.
    static let longWithoutLength: Int64 = 8 << 20

    /// Returns the room that there must be for another attempt to begin, which has `held` bytes of the partial; nil
    /// for a job that has never found the disk full.
    ///
    /// A long file of unknown length only has to come to where it was before: if there is no more room than that
    /// again, it ends, instead of waiting for a disk on which it might have one.
    public func roomToBegin(held: Int64) -> Int64? {
        guard let needed = neededRoom(held: held) else { return nil }
        guard totalBytes == nil, furthestBytes >= Self.longWithoutLength else { return needed }
        return max(0, furthestBytes - furthestBytes / 8 - held)
    }
}

extension Int64 {
    /// Returns the sum of two lengths, or the largest integer on overflow, since servers may announce
    /// any length.
    public func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
