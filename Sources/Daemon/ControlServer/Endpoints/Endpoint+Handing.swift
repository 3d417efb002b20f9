import ControlAPI
import JobModel
import SourceEngine

extension Endpoint {
    /// What sources hand to the queue of a fleet, for its agent.
    static let handing = [
        Endpoint(
            .get,
            "/v1/fleet/items",
            id: "listHandedItems",
            "Items of sources with queue: fleet that the fleet has not done with, or has not got yet, by their "
                + "numbers: for its agent, facefetch-fleet.",
            parameters: [Parameters.after, Parameters.limit]
        ) { server, call in
            let limit = Int(call[Parameters.limit] ?? Int64(Parameters.defaultPageSize))
            // One more says whether there are more.
            var items = try await server.sourceControl.handedItems(
                after: call[Parameters.after] ?? 0,
                limit: limit + 1
            )
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return PageJSON(
                items: items.map(HandedItemJSON.init),
                total: nil,
                hasMore: hasMore,
                next: hasMore ? items.last.map { "\($0.id)" } : nil
            )
        },
        Endpoint(
            .post,
            "/v1/fleet/items/done",
            id: "takeHandedItemsBack",
            "Forgets items that the fleet is done with, so that their sources may read on: for its agent.",
            body: HandedReader.body
        ) { server, call, items in
            try await server.sourceControl.takeBack(items)
            return HandedItemsJSON(items: items.count)
        },
    ]
}

extension HandedItemJSON {
    /// An item as the fleet's agent gets it.
    fileprivate init(_ item: HandedItem) {
        self.init(
            id: item.id,
            source: item.source,
            item: BatchRequest.Item(
                url: item.url,
                name: item.name,
                folder: item.folder,
                sha256: item.sha256,
                priority: item.priority,
                meta: item.meta.map { MetaJSON(verbatim: $0) }
            )
        )
    }
}

/// Reads the body that names items which a fleet is done with.
enum HandedReader {
    private typealias Key = HandedItemsRequest.CodingKeys

    /// The body, as the row of the endpoint has it.
    static let body = SmallBody<[Int64]>(HandedItemsRequest.self, isRequired: true) {
        (body) throws(ProblemJSON) in try read(body)
    }

    private static func read(_ body: [UInt8]) throws(ProblemJSON) -> [Int64] {
        var items: [Int64]?
        var hasStranger = false
        let kind = try JSONReader.body(body) { (reader, name) throws(JSONReader.Malformed) in
            guard Key(rawValue: name) != nil else {
                hasStranger = true
                return try reader.skip()
            }
            items = try reader.ids(HandedItemsRequest.idCount)
        }
        guard case .object = kind, !hasStranger, let items else {
            let most = HandedItemsRequest.idCount.upperBound
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key ids, an array of 1 to \(most) integers from 1"
            )
        }
        return items
    }
}
