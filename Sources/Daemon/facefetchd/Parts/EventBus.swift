import JobEngine
import JobModel

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

extension EventLog: Part {
    /// Opens the log, which is held until the engine knows that the disk has room for more than the store.
    static func open(on ground: Ground) async throws(StartFailure) -> EventLog {
        let path = ground.settings.paths.eventLog
        return try await ground.surroundings.start(
            "the event log \(path)",
            status: "opening the event log…",
            limit: 60,
            remedy: "check the disk that it is on, and that it is a file"
        ) { () throws(EventLogError) in
            try EventLog(path: path, history: ground.store, isHeld: true, logger: ground.logger)
        }
    }

    func finish() { flush() }
}
