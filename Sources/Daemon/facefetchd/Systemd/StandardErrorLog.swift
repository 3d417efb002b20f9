import Glibc
import Logging
import Synchronization
import Vocabulary

/// Writes lines to standard error, keeping those of one call together.
///
/// If standard error is the journal (`JOURNAL_STREAM`, systemd.exec(5)), each line begins with its
/// priority, such as `<6>` (sd-daemon(3)).
final class StandardErrorLog: Sendable {
    /// True if lines begin with priorities.
    let isJournal: Bool

    private let descriptor: Int32
    /// The bytes per write: a pipe that is ready accepts 4096 without blocking (PIPE_BUF, pipe(7)), a
    /// file everything.
    private let pieceLength: Int
    // Two lines must not run into each other if a write is cut short.
    private let writing = Mutex(())
    private let leastLevel = Mutex(Logger.Level.info)

    /// The level below which lines are dropped, which may be changed at any time.
    var level: Logger.Level {
        get { leastLevel.withLock { $0 } }
        set { leastLevel.withLock { $0 = newValue } }
    }

    /// Creates a log on standard error, or on another descriptor, which the caller keeps.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to.
    ///   - journalStream: The value of `JOURNAL_STREAM`: device and inode of the journal's socket.
    init(descriptor: Int32 = STDERR_FILENO, journalStream: String?) {
        self.descriptor = descriptor
        pieceLength = Self.isFile(descriptor) ? 1 << 20 : 4096
        self.isJournal = journalStream.map { Self.isStream($0, descriptor) } ?? false
    }

    /// Writes a line.
    ///
    /// Line feeds become spaces, and other control characters are escaped, so that whatever the text
    /// contains, it stays one line and can't control a terminal. Beyond ``longestLine`` it is cut.
    func write(_ line: String, level: Logger.Level) { write([(line, level)]) }

    /// Writes several lines with as few system calls as possible; each is treated as in
    /// ``write(_:level:)``.
    func write(_ lines: [(line: String, level: Logger.Level)]) {
        var bytes: [UInt8] = []
        let least = level
        for (line, level) in lines where level >= least {
            if isJournal { bytes.append(contentsOf: "<\(level.journalPriority)>".utf8) }
            bytes.append(contentsOf: Self.fitting(line).utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        write(wholeLines: bytes)
    }

    /// The longest text of a line in bytes.
    ///
    /// Lines of the event log fit, and with its priority a line fits into one write to a pipe.
    static let longestLine = 4080

    /// Makes a text safe for the log, whatever its origin.
    private static func fitting(_ line: String) -> String {
        // Cut first, so that megabytes of text aren't gone through.
        let line = line.limited(toBytes: longestLine)
        guard !line.isPlainInLog else { return line }
        let spaced = line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return spaced.joined(separator: " ").escapedForLog.limited(toBytes: longestLine)
    }

    /// Writes lines unchanged: UTF-8, each with its line feed and, for the journal, its priority.
    func write(wholeLines bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        writing.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                // If nobody reads, lines are lost rather than anyone waiting for ever.
                guard canTakeMore() else { return }
                let count = rest.prefix(pieceLength).withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                if count < 0 && errno == EINTR { continue }
                // There is nowhere left to complain to.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Waits a little for room; returns false if there is none.
    private func canTakeMore() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return Glibc.poll(&poll, 1, 200) > 0
    }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func isStream(_ stream: String, _ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

extension Logger.Level {
    /// The priority of syslog(3) for the level.
    var journalPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
