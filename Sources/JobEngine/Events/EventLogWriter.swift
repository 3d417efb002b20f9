import Glibc
import JobCore

/// The event log's file and how far it has come: appends what follows its last line.
///
/// A write that the disk takes only a part of is gone on with where it stopped, so that the file never
/// has a line twice, or one within another.
struct EventLogWriter: ~Copyable {
    /// The id of the last event whose line is in the file.
    private(set) var written: Int64
    /// Whether what comes is sure to follow what a rotated file ends with, where there is one.
    let isJoined: Bool

    private let path: String
    private let history: any EventHistory
    private var descriptor: CInt
    /// What is left of a write that the disk took a part of, and the event that it ends with.
    private var rest: [UInt8] = []
    private var restEnd: Int64 = 0

    /// Events that are read from the store at a time.
    private static let readLimit = 2000

    /// Why the file could not be written, in the system's words.
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

    /// The file; −1 where there is none, and none can be made for now: it is an empty one.
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

    /// Goes on in another file.
    ///
    /// A line of which the old one has a part is begun anew.
    mutating func use(_ other: CInt) {
        if !rest.isEmpty {
            EventLogTail(descriptor: descriptor).removeTornLine()
            rest = []
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = other
    }

    /// Writes lines up to that of the event `newest`: those of `turns`, and from the store those before
    /// and after them that are missing.
    ///
    /// `mayGoOn` is asked between two writes.
    mutating func write(_ turns: [EventLines], through newest: Int64, while mayGoOn: () -> Bool) throws {
        try writeRest()
        for turn in turns {
            guard let first = turn.events.first?.id, let last = turn.events.last?.id, last > written else {
                continue
            }
            try catchUp(through: first - 1, while: mayGoOn)
            guard mayGoOn() else { return }
            // Where the store's rows hold more than one turn, some of these are there already.
            if first == written + 1 {
                try append(turn.text, endingWith: last)
            } else {
                try catchUp(through: last, while: mayGoOn)
            }
        }
        try catchUp(through: newest, while: mayGoOn)
    }

    private mutating func catchUp(through last: Int64, while mayGoOn: () -> Bool) throws {
        while written < last, mayGoOn() {
            let events = try history.keptEvents(after: written, limit: Self.readLimit)
            guard let first = events.first, let end = events.last else {
                // The store has none of them any more.
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
