import JobCore

extension EngineHold {
    /// The explanation that people get when the store's disk is full.
    static var fullDisk: EngineHold {
        let needed = (StoreRoom.reserveLength + StoreRoom.margin) >> 20
        var hold = EngineHold(
            kind: .disk,
            reason:
                "the disk that the job store is on is full: nothing new is begun until \(needed) MiB are free"
        )
        hold.isOfStore = true
        return hold
    }
}
