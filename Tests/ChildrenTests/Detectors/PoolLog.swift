import Logging

/// A log of what a pool says, as it says it, debugging included.
struct PoolLog: LogHandler {
    let lines: AsyncStream<(level: Logger.Level, text: String)>
    private let line: AsyncStream<(level: Logger.Level, text: String)>.Continuation
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    init() { (lines, line) = AsyncStream.makeStream() }

    /// A logger whose lines come here.
    var logger: Logger { Logger(label: "pool") { _ in self } }

    /// Ends ``lines``: nothing more is said.
    func end() { line.finish() }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { line.yield((event.level, event.message.description)) }
}

extension Logger {
    /// A logger for pools of whose detectors the worst is expected.
    static var quiet: Logger {
        var logger = Logger(label: "pool")
        logger.logLevel = .critical
        return logger
    }
}
