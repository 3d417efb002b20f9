import Logging

/// Writes the daemon's log about itself to standard error.
///
/// People get `facefetchd: warning: the disk is full`; the journal, which knows the program and the
/// priority already, only gets the message.
struct ServiceLogHandler: LogHandler {
    /// The level below which messages are dropped: the log's own, unless another is set.
    var logLevel: Logger.Level {
        get { ownLevel ?? log.level }
        set { ownLevel = newValue }
    }
    private var ownLevel: Logger.Level?
    /// The metadata added to every message.
    var metadata: Logger.Metadata = [:]
    private let program: String
    private let log: StandardErrorLog

    init(program: String, log: StandardErrorLog) {
        self.program = program
        self.log = log
    }

    /// A value of the metadata added to every message.
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a message.
    func log(event: LogEvent) {
        var line = log.isJournal ? "" : "\(program): \(event.level.rawValue): "
        line += event.message.description
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        if !all.isEmpty {
            line +=
                " (" + all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
                + ")"
        }
        if let error = event.error { line += ": \(error)" }
        log.write(line, level: event.level)
    }
}
