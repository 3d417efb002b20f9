import JobEngine
import JobModel
import Receivers

/// The bus ends before those that follow it.
extension EventBus: Part {
    func stop() { end() }

    /// Calls `tell` whenever a job may have come to an end, until the bus ends.
    func followEndings(_ tell: @escaping @Sendable () -> Void) {
        let subscription = subscribe()
        Task {
            var items = subscription.makeAsyncIterator()
            while true {
                let pieces = await items.nextPieces()
                guard !pieces.isEmpty else { return }
                if pieces.contains(where: { $0.contains(where: \.mayBeEnding) }) { tell() }
            }
        }
    }
}

extension FollowedEndings {
    /// The endings that the store has, when events say that there is something.
    init(on ground: Ground, _ item: @escaping @Sendable (EndedJob) -> Item) {
        let (store, events) = (ground.store, ground.engine.events)
        self.init(tell: events.followEndings) { query in
            let page = try await store.endings(query)
            return FollowedPage(
                items: page.items.map(item),
                total: page.total,
                oldest: page.oldest,
                newest: page.newest
            )
        }
    }
}

extension EventBus.Item {
    /// True if a job may have come to something with it.
    fileprivate var mayBeEnding: Bool {
        switch self {
        case .missed: true
        case .progress: false
        case .event(let event):
            switch event.kind {
            case .started, .progressed, .received, .resumed, .restarted, .finished, .waiting, .paused,
                .continued, .evicted, .removed,
                .detectionStarted, .detectionDeferred:
                false
            default: true
            }
        }
    }
}
