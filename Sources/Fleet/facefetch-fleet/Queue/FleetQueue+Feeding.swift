/// What sources of a node's daemon have found, which becomes jobs of the fleet.
///
/// A daemon is known by its store, and its items by numbers that ascend and never come twice.
extension FleetQueue {
    /// Returns the number of the last item of a daemon that was handed over, 0 for none.
    func fedThrough(store: String) throws(FleetQueueError) -> Int64 {
        try connection.run([Call(FeedStatements.through, [store])])[0].first?.integer(0) ?? 0
    }

    /// Adds items of a source as one batch, whole or not at all, but for those that are there already; repeated, it
    /// changes nothing.
    ///
    /// - Parameter items: JSON objects in the form of a list's, each with its number as `id`, by ascending number.
    /// - Returns: The batch; nil if all are there already.
    /// - Throws: ``FleetQueueError``, of class 22 where an item is refused.
    @discardableResult
    func feed(
        _ items: [String],
        of source: String,
        store: String
    ) throws(FleetQueueError) -> Int64? {
        let list = "[\(items.joined(separator: ","))]"
        return try connection.run([Call(FeedStatements.feed, [store, source, list])])[0].first?.integer(0)
    }

    /// Returns items of a daemon that the fleet is done with.
    func endedItems(of store: String, atMost count: Int) throws(FleetQueueError) -> [Int64] {
        try numbers(Call(FeedStatements.ended, [store, "\(count)"]))
    }

    /// Returns those of a daemon's items that the fleet has, or of whose end the daemon may not know.
    func knownItems(_ items: [Int64], of store: String) throws(FleetQueueError) -> Set<Int64> {
        Set(try numbers(Call(FeedStatements.known, [store, ArrayText.of(items)])))
    }

    /// Notes that a daemon knows that the fleet is done with items.
    func told(_ items: [Int64], store: String) throws(FleetQueueError) {
        _ = try connection.run([Call(FeedStatements.told, [store, ArrayText.of(items)])])
    }

    private func numbers(_ call: Call) throws(FleetQueueError) -> [Int64] {
        try connection.run([call])[0].map { $0.integer(0) }.compactMap { $0 }
    }
}
