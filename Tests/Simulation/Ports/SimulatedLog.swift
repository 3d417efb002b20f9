import JobEngine
import JobModel
import JobStore

/// The event log's file, which outlives the daemon.
final class SimulatedLog {
    /// The events that are in the file.
    private(set) var events: [JobEvent] = []

    /// The id of the last event in the file.
    var last: Int64 { events.last?.id ?? 0 }

    /// Appends what a daemon before has written to the store, and no longer to the file.
    func catchUp(from store: JobStore) throws {
        events += try store.keptEvents(after: last, limit: .max)
    }

    fileprivate func append(_ new: [JobEvent]) { events += new }

    /// The file as one run of the daemon writes it.
    final class Port: EventSink, @unchecked Sendable {
        private unowned let life: Life

        init(_ life: Life) { self.life = life }

        func append(_ lines: EventLines) {
            guard life.acts() else { return }
            life.world.promises.published(lines.events)
            life.world.log.append(lines.events)
        }

        var writtenThrough: Int64? { life.world.log.last }
    }
}
