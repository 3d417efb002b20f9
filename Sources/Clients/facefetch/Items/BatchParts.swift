import ControlAPI
import Vocabulary

/// Posts a list that is longer than a batch, part after part.
struct BatchParts {
    /// The most items in a batch.
    let size: Int
    /// The items of the list.
    let items: [BatchRequest.Item]
    /// True if the same list can be posted again without anything being added twice.
    var isRemembered = false
    /// The weight of each part; nil for the default.
    var weight: Int?
    /// True if the daemon is to leave out what it knows.
    var skipsKnown = false
    /// Takes the items that the daemon refuses, with the reason, where the others are added without them; nil where one
    /// refuses all.
    var leaveOut: ((_ index: Int, _ reason: String) -> Void)?
    /// The place of each, such as `list.csv line 7`.
    let place: (Int) -> String

    /// The items of each part.
    var parts: some Sequence<[BatchRequest.Item]> {
        stride(from: 0, to: items.count, by: size).lazy.map { [items, size] first in
            Array(items[first..<min(first + size, items.count)])
        }
    }

    /// Each part as it is posted, in JSON.
    var json: some Sequence<[UInt8]> {
        parts.lazy.map { request($0).json }
    }

    private func request(_ part: [BatchRequest.Item]) -> BatchRequest {
        BatchRequest(items: part, weight: weight, skipKnown: skipsKnown ? true : nil)
    }

    /// Posts all parts, and hands over each batch as soon as it is accepted.
    ///
    /// A part is accepted or refused as a whole by the daemon. Of a longer list, all URLs are checked before
    /// the first part is posted.
    ///
    /// - Throws: what went wrong with a part, with what was added before it.
    func post<Batch>(
        _ post: (BatchRequest, _ part: Int) throws -> Batch,
        accepted: (Batch) throws -> Void
    ) throws {
        if items.count > size { try check() }
        for (number, part) in parts.enumerated() {
            let first = number * size
            let batch: Batch
            do {
                guard let posted = try postWithoutBad(part, first, { try post($0, number) }) else { continue }
                batch = posted
            } catch let refused as RefusedItems {
                var list = ItemList()
                for (index, item) in part.enumerated() {
                    list.add(url: item.url, place: place(first + index))
                }
                throw list.explain(refused, outcome: outcome(first))
            } catch let error as ClientError where first > 0 {
                throw ClientError(
                    status: error.status,
                    message:
                        "\(error.message) \(outcome(first, isCertain: !error.wasInterrupted, canRepeat: true))"
                )
            }
            try accepted(batch)
        }
    }

    /// Posts a part, without what the daemon refuses of it if that is left out; returns nil if nothing is left.
    private func postWithoutBad<Batch>(
        _ part: [BatchRequest.Item],
        _ first: Int,
        _ post: (BatchRequest) throws -> Batch
    ) throws -> Batch? {
        var left = Array(part.indices)
        while !left.isEmpty {
            do {
                return try post(request(left.map { part[$0] }))
            } catch let refused as RefusedItems {
                let bad = Dictionary(refused.items.map { ($0.index, $0.reason) }) { first, _ in first }
                let named = bad.keys.filter(left.indices.contains).sorted()
                guard let leaveOut, !named.isEmpty else { throw refused }
                for place in named { leaveOut(first + left[place], bad[place] ?? "") }
                left = left.enumerated().filter { bad[$0.offset] == nil }.map(\.element)
            }
        }
        return nil
    }

    /// Checks all URLs as the daemon does.
    ///
    /// - Throws: ``ClientError`` that names the first bad ones.
    func check() throws(ClientError) {
        var bad: [String] = []
        for (index, item) in items.enumerated() where bad.count < 20 {
            guard let reason = Self.refusal(of: item.url) else { continue }
            bad.append(
                "\(place(index).safeForTerminal), \"\(item.url.safeForTerminal)\", is refused: \(reason)."
            )
        }
        guard bad.isEmpty else {
            throw .usage(bad.joined(separator: "\n") + " " + ItemList.nothingAdded)
        }
    }

    /// Returns why the daemon would refuse a URL; nil if it takes it.
    static func refusal(of url: String) -> String? {
        do throws(JobURL.Refusal) {
            _ = try JobURL(url)
            return nil
        } catch {
            let grows = error == .tooLong && url.utf8.count <= JobURL.maximumLength
            return error.message + (grows ? ", percent-encoded" : "")
        }
    }

    /// Says what was added, and how to go on without adding it twice.
    private func outcome(_ added: Int, isCertain: Bool = true, canRepeat: Bool = false) -> String {
        guard added > 0 else { return ItemList.nothingAdded }
        let outcome = "The first \(Quantities.count(added, "file")) of the list were added"
        if isRemembered, canRepeat {
            return "\(outcome): add it again in the same way, and what is in already isn't added twice."
        }
        guard isCertain else {
            return """
                \(outcome), and of those from \
                \(place(added).safeForTerminal) on it isn't known: see "facefetch list" before adding them again.
                """
        }
        return """
            \(outcome), and those from \
            \(place(added).safeForTerminal) on were not: correct the list, and add it again from there on, since \
            what comes before it would be added twice.
            """
    }
}
