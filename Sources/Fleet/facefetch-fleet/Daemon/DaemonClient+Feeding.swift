import ControlAPI

extension DaemonClient {
    /// Returns items that sources have found for the fleet, with numbers above one.
    func handedItems(after number: Int64) throws(DaemonError) -> PageJSON<HandedItemJSON> {
        try ask("GET", "/v1/fleet/items?after=\(number)&limit=\(Feeding.most)")
    }

    /// Tells the daemon that the fleet is done with items, 1 to ``Feeding/most``.
    func takeBack(_ items: [Int64]) throws(DaemonError) {
        _ = try ask(
            "POST",
            "/v1/fleet/items/done",
            body: HandedItemsRequest(ids: items).json,
            for: HandedItemsJSON.self
        )
    }
}
