/// Comparing documents with the record.
extension FleetQueue {
    /// A document that somebody asks about.
    struct ListedDocument: Hashable, Sendable {
        /// The words in which they have named it.
        var line: String
        /// What stands for it in records (``DocumentStatements/addresses(of:)``).
        var addresses: [String]
    }

    /// Tells which documents of a list no record names, also none of a batch that is forgotten, in the list's order.
    ///
    /// - Parameters:
    ///   - next: Gives the list piece by piece, nil after the last.
    ///   - take: Gets their words, a thousand at a time.
    /// - Throws: ``FleetQueueError``, whatever `next` and `take` throw, and ``FleetFailure`` where no record names any of
    ///   them: then the list is more likely another's than all of it left over.
    func unrecorded(_ next: () throws -> [ListedDocument]?, _ take: ([String]) throws -> Void) throws {
        try connection.execute(DocumentStatements.listed)
        var place = 0
        while let documents = try next() {
            var rows: [UInt8] = []
            for document in documents {
                place += 1
                for address in document.addresses {
                    Self.append("\(place)", UInt8(ascii: "\t"), to: &rows)
                    Self.append(document.line, UInt8(ascii: "\t"), to: &rows)
                    Self.append(address, UInt8(ascii: "\n"), to: &rows)
                }
            }
            var rest: [UInt8]? = rows
            try connection.copy(DocumentStatements.copy) {
                defer { rest = nil }
                return rest
            }
        }
        try connection.execute(DocumentStatements.dropRecorded)
        let left = try connection.run([Call(DocumentStatements.count, [])])[0].first?.integer(0) ?? 0
        guard left < place || place == 0 else {
            throw FleetFailure(
                .unsuccessful,
                "No record names any of the \(place) documents of the list. See first that it is of this fleet, and has "
                    + "the paths or addresses that facefetch-fleet results prints."
            )
        }
        var last: Int64 = 0
        while true {
            let page = try connection.run([Call(DocumentStatements.page, ["\(last)", "1000"])])[0]
                .map { (place: $0.integer(0) ?? 0, line: $0.text(1) ?? "") }
            guard let end = page.last?.place else { return }
            try take(page.map(\.line))
            last = end
        }
    }
}
