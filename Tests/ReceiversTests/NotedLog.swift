import Logging
import Synchronization

/// A log that is written down: what people are told.
final class NotedLog: Sendable {
    /// The lines so far.
    let lines = Mutex<[String]>([])
    private let whenNoted: @Sendable () -> Void

    /// Creates an empty log, with what is called after each line.
    init(whenNoted: @escaping @Sendable () -> Void = {}) { self.whenNoted = whenNoted }

    /// The logger whose lines are written down.
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: NotedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append("\(event.message)") }
            log.whenNoted()
        }
    }
}
