/// The room on the disk that documents are on, and what of it is spoken for.
public struct DiskRoom: Hashable, Sendable {
    /// Bytes that can still be written.
    public var free: Int64
    /// Bytes that transfers under way still need of files whose length is known.
    public var promised: Int64
    /// Bytes that stay free (`disk.reserve`).
    public var reserve: Int64

    /// The room as it was found.
    public init(free: Int64, promised: Int64, reserve: Int64) {
        self.free = free
        self.promised = promised
        self.reserve = reserve
    }

    /// Why a file that still needs so many bytes can't be begun, or gone on with; nil when it fits.
    ///
    /// `promised` must be what the others need.
    public func refusal(needing needed: Int64) -> JobFailure? {
        let open = max(0, free - promised)
        guard open < needed.saturatingAdd(reserve) else { return nil }
        return JobFailure(
            .diskFull,
            "the file needs \(needed) more bytes; \(open) are free, of which \(reserve) are kept free (disk.reserve)"
        )
    }

    /// Whether a file of unknown length would take what others have been promised if it went on.
    public var isTight: Bool { free - promised < reserve }

    /// Why a transfer that is writing must stop; nil when it may go on.
    ///
    /// One whose length is known was let in with room for all of it, and stops only where somebody
    /// else has taken that room; one whose length nobody knows leaves the others theirs.
    public func stop(lengthIsKnown: Bool) -> JobFailure? {
        guard lengthIsKnown ? free < reserve : isTight else { return nil }
        let others = promised > 0 && !lengthIsKnown ? "; other transfers need \(promised)" : ""
        return JobFailure(
            .diskFull,
            "only \(max(0, free)) bytes are free, and \(reserve) are kept free (disk.reserve)\(others)"
        )
    }

    /// The bytes that may be written between two looks at the disk, so that little of the reserve is used.
    public static func lookInterval(reserve: Int64) -> Int64 { min(4 << 20, max(64 << 10, reserve / 4)) }
}

extension Job {
    /// Bytes that another try needs beyond the `held` ones of the partial, as far as that is known; nil
    /// for a job that has never found the disk full.
    ///
    /// Of a file of unknown length nothing is known but that it is longer than what it brought before
    /// there was no room: it is not fetched again for as much as it is known not to fit in.
    public func neededRoom(held: Int64) -> Int64? {
        guard toldOfFullDisk else { return nil }
        if let totalBytes { return max(0, totalBytes - held) }
        return max(0, furthestBytes - held) + max(1 << 20, furthestBytes / 8)
    }
}

extension Int64 {
    /// The sum of two lengths, or the largest there is: servers may announce any.
    public func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
