import ControlAPI
import Vocabulary

/// Handing over what the daemon's sources have found for the fleet (`queue: fleet`).
///
/// The daemon keeps each item until the fleet is done with it. So a source reads no further ahead than its recipe says,
/// and what the database loses again is handed over anew.
extension Agent {
    /// Hands over what is new, and tells the daemon what the fleet is done with.
    func feed() throws(FleetQueueError) {
        guard let queue, node != nil, !isClosed, let feeding else { return }
        if now >= feeding.asksAt {
            self.feeding?.asksAt = now + Feeding.interval
            let hasMore = try feeding.compares ? compare(queue) : handOver(queue)
            if hasMore { self.feeding?.asksAt = .zero }
        }
        if now >= feeding.looksAt { try takeBack(queue) }
    }

    /// Hands over the next items of the daemon; returns whether there are more.
    private func handOver(_ queue: FleetQueue) throws(FleetQueueError) -> Bool {
        guard let page = items(after: feeding?.through) else { return false }
        var rest = page.items[...]
        while let source = rest.first?.source {
            let items = rest.prefix { $0.source == source }
            try hand(items, queue)
            rest = rest.dropFirst(items.count)
        }
        return page.hasMore
    }

    /// The daemon's items with numbers above one; nil if it doesn't say.
    private func items(after number: Int64?) -> PageJSON<HandedItemJSON>? {
        guard let number else { return nil }
        do { return try daemon.handedItems(after: number) } catch {
            daemonTrouble(error)
            return nil
        }
    }

    /// Hands over items of one source; those that the queue refuses are told of, and given up.
    private func hand(_ items: ArraySlice<HandedItemJSON>, _ queue: FleetQueue) throws(FleetQueueError) {
        guard let store = feeding?.store, let last = items.last else { return }
        do {
            try queue.feed(items.map(\.line), of: last.source, store: store)
            figures.fed += items.count
            feeding?.through = last.id
        } catch {
            guard error.isOfValues else { throw error }
            guard items.count == 1 else {
                let middle = items.startIndex + items.count / 2
                try hand(items[..<middle], queue)
                return try hand(items[middle...], queue)
            }
            let url = (try? JobURL(last.item.url))?.masked ?? "a URL"
            note("source \(last.source)", "the queue refuses \(url), which is left out: \(error)")
            figures.refused += 1
            feeding?.through = last.id
            do { try daemon.takeBack([last.id]) } catch { daemonTrouble(error) }
        }
    }

    /// Tells the daemon what the fleet is done with.
    private func takeBack(_ queue: FleetQueue) throws(FleetQueueError) {
        guard let store = feeding?.store else { return }
        let begin = now
        let ended = try queue.endedItems(of: store, atMost: Feeding.most)
        feeding?.looked(from: begin, to: now, foundMost: ended.count == Feeding.most)
        guard !ended.isEmpty else { return }
        // In this order: what the daemon may not know stays noted.
        do { try daemon.takeBack(ended) } catch { return daemonTrouble(error) }
        try queue.told(ended, store: store)
    }

    /// Has those of the daemon's next items taken back with which the fleet is done; returns whether to go on at once.
    ///
    /// There are some where the daemon has been restored from a copy, or an end has come between.
    private func compare(_ queue: FleetQueue) throws(FleetQueueError) -> Bool {
        guard let feeding, let page = items(after: feeding.compared) else { return false }
        let items = page.items.map(\.id).filter { $0 <= feeding.through }
        let known = items.isEmpty ? [] : try queue.knownItems(items, of: feeding.store)
        let gone = items.filter { !known.contains($0) }
        if !gone.isEmpty {
            do { try daemon.takeBack(gone) } catch {
                daemonTrouble(error)
                return false
            }
        }
        self.feeding?.compared = page.hasMore ? page.items.last?.id ?? feeding.through : feeding.through
        return true
    }
}

extension HandedItemJSON {
    /// The item in the form of a list's, with its number.
    fileprivate var line: String {
        let json = String(decoding: item.json, as: UTF8.self)
        return "{\"id\":\(id),\(json.dropFirst())"
    }
}

extension FleetQueueError {
    /// True if a value is refused for itself: it would be refused again.
    fileprivate var isOfValues: Bool {
        if case .refused(let code) = kind { code.hasPrefix("22") || code == "23514" } else { false }
    }
}
