import Glibc
import JobModel

/// Appends events to the event log's file, and keeps track of the last one written.
///
/// A partial write is continued where it stopped, so that no line is ever duplicated or broken up.
struct EventLogWriter: ~Copyable {
    /// The id of the last event whose line is in the file.
    private(set) var written: Int64
    /// True if the next event certainly continues the rotated file, if there is one.
    let isJoined: Bool

    private let path: String
    private let history: any EventHistory
    private var descriptor: CInt
    /// The rest of a partial write, and the event that it ends with.
    private var rest: [UInt8] = []
    private var restEnd: Int64 = 0

    /// The number of events read from the store at a time.
    private static let readLimit = 500

    /// The error of a failed write, with the system's message.
    struct Failure: Error, CustomStringConvertible {
        var number: CInt
        var description: String { String(cString: strerror(number)) }
    }

    init(path: String, history: any EventHistory) throws {
        let descriptor = try Self.openWherePossible(path)
        do {
            let tail = EventLogTail(descriptor: descriptor, rotated: RotatedLogs(path: path).newest)
            tail.removeTornLine()
            let last = try tail.lastEvent(in: history)
            let written = try last ?? history.keptEvents(upTo: .max, limit: 1).last?.id ?? 0
            self.init(path, history, descriptor, written: written, isJoined: last != nil)
        } catch {
            if descriptor >= 0 { close(descriptor) }
            throw error
        }
    }

    private init(
        _ path: String,
        _ history: any EventHistory,
        _ descriptor: CInt,
        written: Int64,
        isJoined: Bool
    ) {
        self.path = path
        self.history = history
        self.descriptor = descriptor
        self.written = written
        self.isJoined = isJoined
    }

    /// Opens the file; −1 if it doesn't exist and can't be created for now, which counts as empty.
    private static func openWherePossible(_ path: String) throws(EventLogError) -> CInt {
        do throws(EventLogError) {
            return try open(path)
        } catch {
            guard error.isLackOfRoom else { throw error }
            return -1
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    static func open(_ path: String) throws(EventLogError) -> CInt {
        let descriptor = Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            let number = errno
            throw EventLogError(
                path: path,
                reason: String(cString: strerror(number)),
                isLackOfRoom: number == ENOSPC || number == EDQUOT
            )
        }
        return descriptor
    }

    /// Switches to another file.
    ///
    /// A line that was only partly written to the old file is written again in full.
    mutating func use(_ other: CInt) {
        if !rest.isEmpty {
            EventLogTail(descriptor: descriptor).removeTornLine()
            rest = []
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = other
    }

    /// Writes lines up to the event `newest`: those in `turns`, and any missing ones before and after
    /// them from the store.
    ///
    /// `mayGoOn` is called between writes.
    mutating func write(_ turns: [EventLines], through newest: Int64, while mayGoOn: () -> Bool) throws {
        replaceNameless()
        try writeRest()
        for turn in turns {
            guard let first = turn.events.first?.id, let last = turn.events.last?.id, last > written else {
                continue
            }
            try catchUp(through: first - 1, while: mayGoOn)
            guard mayGoOn() else { return }
            // If a row of the store holds more than one turn, some of these have been written already.
            if first == written + 1 {
                try append(turn.text, endingWith: last)
            } else {
                try catchUp(through: last, while: mayGoOn)
            }
        }
        try catchUp(through: newest, while: mayGoOn)
    }

    /// Opens the path anew if the file has no name any more: what is written to it then nobody can read.
    ///
    /// One that was only renamed is being rotated, and gets its lines until it is told (``use(_:)``).
    private mutating func replaceNameless() {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_nlink == 0,
            let other = try? Self.open(path)
        else { return }
        use(other)
    }

    private mutating func catchUp(through last: Int64, while mayGoOn: () -> Bool) throws {
        while written < last, mayGoOn() {
            let events = try history.keptEvents(after: written, limit: Self.readLimit)
            guard let first = events.first, let end = events.last else {
                // The store no longer has any of them.
                written = last
                return
            }
            var text: [UInt8] = []
            if first.id > written + 1 {
                text = Array(EventLogTail.gap(of: first.id - written - 1, before: first).utf8) + [0x0A]
            }
            text += EventLines(events).text
            try append(text, endingWith: end.id)
        }
    }

    private mutating func append(_ text: [UInt8], endingWith event: Int64) throws {
        (rest, restEnd) = (text, event)
        try writeRest()
    }

    private mutating func writeRest() throws {
        if descriptor < 0, !rest.isEmpty { descriptor = try Self.open(path) }
        var done = 0
        defer { rest.removeFirst(done) }
        while done < rest.count {
            let count = rest[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: errno) }
            done += count
        }
        if done > 0 { written = max(written, restEnd) }
    }
}
