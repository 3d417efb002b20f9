/// Adding batches.
extension FleetQueue {
    /// An item to be added.
    struct NewItem: Hashable, Sendable {
        /// The URL, http or https.
        var url: String
        /// The name that the document is to get.
        var name: String?
        /// The SHA-256 that it must have, in hex.
        var sha256: String?
        /// The priority, from −100 to 100.
        var priority: Int?
        /// Header fields as a JSON object.
        var headers: String?
        /// The folder that the document is to be in.
        var folder: String?
        /// Facts about the item as a JSON object.
        var meta: String?

        init(url: String) { self.url = url }
    }

    /// The result of adding a batch.
    enum Added: Hashable, Sendable {
        /// It has this number.
        case new(Int64)
        /// It has this number, and so many items: the others were known.
        case partly(Int64, items: Int)
        /// All of its items were known.
        case nothing
        /// It was added before, under the same key.
        case known(Int64)
        /// Its key was used for another batch.
        case keyReused
    }

    /// Adds a batch, which is seen at once and whole, or not at all.
    ///
    /// Each piece is a transaction of its own, into a table that only this connection has, and only in the end all
    /// of them become a batch together: so whoever gives the items may take its time, and keep few in memory.
    ///
    /// - Parameters:
    ///   - key: Under a key that is known nothing is added.
    ///   - digest: A digest of the items, to tell whether they are the same; asked for after the last.
    ///   - skipsKnown: Whether items are left out whose URL a job has that has neither failed nor been cancelled.
    ///   - next: Gives the items piece by piece, nil after the last.
    /// - Throws: ``FleetQueueError``, and whatever `next` throws.
    func add(
        key: String?,
        digest: @autoclosure () -> String?,
        skipsKnown: Bool = false,
        _ next: () throws -> [NewItem]?
    ) throws -> Added {
        try connection.execute(OverseerStatements.incoming)
        if try !connection.run([Call(OverseerStatements.known, [key, nil])])[0].isEmpty {
            while try next() != nil {}
            return try known(key, digest())
        }
        var place = 0
        while let items = try next() { try send(items, after: &place) }
        try connection.execute("BEGIN")
        do {
            let added = try queue(key, digest(), skipsKnown: skipsKnown)
            // It is a help, and may fail.
            if place >= Self.many { try? connection.execute("ANALYZE queue; ANALYZE items") }
            return added
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Sends items to the table that only this connection has.
    private func send(_ items: [NewItem], after place: inout Int) throws {
        var rows: [UInt8] = []
        for item in items {
            place += 1
            Self.append("\(place)", UInt8(ascii: "\t"), to: &rows)
            Self.append(item.url, UInt8(ascii: "\t"), to: &rows)
            Self.append(item.name, UInt8(ascii: "\t"), to: &rows)
            Self.append(item.sha256, UInt8(ascii: "\t"), to: &rows)
            Self.append(item.priority.map { "\($0)" }, UInt8(ascii: "\t"), to: &rows)
            Self.append(item.headers, UInt8(ascii: "\t"), to: &rows)
            Self.append(item.folder, UInt8(ascii: "\t"), to: &rows)
            Self.append(item.meta, UInt8(ascii: "\n"), to: &rows)
        }
        var rest: [UInt8]? = rows
        try connection.copy(OverseerStatements.copyIncoming) {
            defer { rest = nil }
            return rest
        }
    }

    /// Makes a batch of what has been sent, and ends the transaction.
    private func queue(_ key: String?, _ digest: String?, skipsKnown: Bool) throws -> Added {
        var left: Int?
        if skipsKnown {
            try connection.execute(OverseerStatements.dropKnown)
            left = Int(
                try connection.run([Call(OverseerStatements.incomingCount)])[0].first?.integer(0) ?? 0
            )
            guard left != 0 else {
                try connection.execute("ROLLBACK")
                return .nothing
            }
        }
        // Only now: a number that nobody gets would be missing in the list of batches.
        guard
            let made = try connection.run([Call(OverseerStatements.begin, [key, digest])])[0].first?
                .integer(0)
        else { return try known(key, digest) }
        _ = try connection.run([
            Call(OverseerStatements.take, ["\(made)"]), Call(OverseerStatements.enqueue, ["\(made)"]),
        ])
        try connection.execute("COMMIT")
        try? connection.execute("TRUNCATE incoming")
        return left.map { Added.partly(made, items: $0) } ?? .new(made)
    }

    /// Gives an addition up whose key is known, and returns what it was used for.
    private func known(_ key: String?, _ digest: String?) throws -> Added {
        let known = try connection.run([Call(OverseerStatements.known, [key, digest])])[0].first
        try connection.execute("ROLLBACK")
        guard let known, known.flag(1), let batch = known.integer(0) else { return .keyReused }
        return .known(batch)
    }

    /// From how many items on PostgreSQL is to look at them before it plans.
    private static let many = 10_000

    /// Appends a value as COPY's text format has it, and what stands behind it.
    static func append(_ value: String?, _ end: UInt8, to row: inout [UInt8]) {
        guard let value else {
            row += [UInt8(ascii: "\\"), UInt8(ascii: "N"), end]
            return
        }
        if value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 }) {
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\\"): row += [UInt8(ascii: "\\"), byte]
                case UInt8(ascii: "\t"): row += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
                case UInt8(ascii: "\n"): row += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case UInt8(ascii: "\r"): row += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                default: row.append(byte)
                }
            }
        } else {
            row += value.utf8
        }
        row.append(end)
    }
}
