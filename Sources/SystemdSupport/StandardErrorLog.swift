import Glibc
import JobCore
import Logging
import Synchronization

/// Writes lines to standard error; those of one call go together.
///
/// When standard error is the journal (`JOURNAL_STREAM`, systemd.exec(5)), a
/// line begins with its priority as sd-daemon(3) has it: `<6>`.
public final class StandardErrorLog: Sendable {
    /// True when lines carry priorities.
    public let isJournal: Bool

    private let descriptor: Int32
    /// A pipe that can take anything takes 4096 bytes without blocking (PIPE_BUF, pipe(7)); a file all.
    private let pieceLength: Int
    // Two lines must not run into each other where a write is cut short.
    private let writing = Mutex(())
    private let leastLevel = Mutex(Logger.Level.info)

    /// Lines below this level are left out; may be changed at any time.
    public var level: Logger.Level {
        get { leastLevel.withLock { $0 } }
        set { leastLevel.withLock { $0 = newValue } }
    }

    /// A log on standard error, or on another descriptor, which stays the caller's.
    ///
    /// - Parameters:
    ///   - descriptor: Where lines go.
    ///   - journalStream: The value of `JOURNAL_STREAM`: device and inode of the journal's socket.
    public init(descriptor: Int32 = STDERR_FILENO, journalStream: String?) {
        self.descriptor = descriptor
        pieceLength = Self.isFile(descriptor) ? 1 << 20 : 4096
        self.isJournal = journalStream.map { Self.isStream($0, descriptor) } ?? false
    }

    /// Writes a line.
    ///
    /// Line feeds in it become spaces, and other control characters are escaped: whatever somebody
    /// else has put into it, it stays one line and can't steer a terminal. Past ``longestLine`` it
    /// is cut.
    public func write(_ line: String, level: Logger.Level) { write([(line, level)]) }

    /// Writes lines to standard error, in as few writes as it takes; each as ``write(_:level:)`` does.
    public func write(_ lines: [(line: String, level: Logger.Level)]) {
        var bytes: [UInt8] = []
        let least = level
        for (line, level) in lines where level >= least {
            if isJournal { bytes.append(contentsOf: "<\(level.journalPriority)>".utf8) }
            bytes.append(contentsOf: Self.fitting(line).utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        write(wholeLines: bytes)
    }

    /// The longest text of a line, in bytes: what stands in the event log fits, and its priority too
    /// in what a pipe takes at once.
    static let longestLine = 4080

    /// A text as it may stand in a log, whoever it comes from.
    private static func fitting(_ line: String) -> String {
        // Cut first, so that what is megabytes long isn't gone through.
        let line = line.limited(toBytes: longestLine)
        guard !line.isPlainInLog else { return line }
        let spaced = line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return spaced.joined(separator: " ").escapedForLog.limited(toBytes: longestLine)
    }

    /// Writes lines as they are: UTF-8, each with its line feed and, for the journal, its priority.
    public func write(wholeLines bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        writing.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                // Nobody reads: lines are lost rather than that anyone waits for ever.
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

    /// Waits a little for room; false when there is none.
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
    /// The priority of syslog(3) that goes with a level.
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
