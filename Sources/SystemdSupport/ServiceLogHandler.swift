import Logging

/// Writes the daemon's log about itself to standard error.
///
/// For people `facefetchd: warning: the disk is full`; for the journal, which
/// knows the program and the priority already, only the message.
public struct ServiceLogHandler: LogHandler {
    /// Messages below this are left out: the log's own level, unless another is set.
    public var logLevel: Logger.Level {
        get { ownLevel ?? log.level }
        set { ownLevel = newValue }
    }
    private var ownLevel: Logger.Level?
    /// Said with every message.
    public var metadata: Logger.Metadata = [:]
    private let program: String
    private let log: StandardErrorLog

    /// A handler that writes to a log.
    public init(program: String, log: StandardErrorLog) {
        self.program = program
        self.log = log
    }

    /// One value that is said with every message.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a message.
    public func log(event: LogEvent) {
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
