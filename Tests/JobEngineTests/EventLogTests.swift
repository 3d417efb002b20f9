import Foundation
import JobEngine
import JobModel
import Logging
import Synchronization
import TestSupport
import Testing
import Vocabulary

struct EventLogTests {
    private let directory: TemporaryDirectory
    private let logger = Logger(label: "test")

    init() throws { directory = try TemporaryDirectory() }

    private func events(_ ids: ClosedRange<Int64>) -> [JobEvent] {
        let accepted = Moment(microseconds: 1_795_243_503_000_000)
        return ids.map { id in
            JobEvent(
                id: id,
                time: accepted.adding(seconds: Double(id)),
                batchCreatedAt: accepted,
                batch: BatchID(rawValue: 1),
                job: JobID(rawValue: id),
                kind: .paused(name: "a.jpg")
            )
        }
    }

    private func open(_ history: [JobEvent]) throws -> EventLog {
        try EventLog(path: directory.path("events.log"), history: KeptEvents(history), logger: logger)
    }

    private func lines(_ name: String = "events.log") throws -> [String] {
        try String(decoding: directory.read(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("Events are appended, a line each")
    func append() throws {
        let log = try open([])
        log.append(EventLines(events(1...2)))
        log.append(EventLines(events(3...3)))
        log.flush()
        #expect(try lines() == events(1...3).map(\.logLine))
    }

    @Test("What a crash kept from the file is appended at the next start, and nothing twice")
    func catchesUp() throws {
        do {
            let log = try open([])
            log.append(EventLines(events(1...3)))
            log.flush()
        }
        _ = try open(events(2...6))
        #expect(try lines() == events(1...6).map(\.logLine))
        _ = try open(events(2...6))
        #expect(try lines() == events(1...6).map(\.logLine))
    }

    @Test("A line that was cut off in the middle is written whole")
    func tornLine() throws {
        let whole = events(1...2).map(\.logLine).joined(separator: "\n")
        try directory.write(Array(whole.dropLast(7).utf8), to: "events.log")
        _ = try open(events(1...3))
        #expect(try lines() == events(1...3).map(\.logLine))
    }

    @Test("After a rotation by rename, later lines go to the new file and none to both")
    func rotation() throws {
        let log = try open([])
        log.append(EventLines(events(1...2)))
        log.flush()
        try FileManager.default.moveItem(
            atPath: directory.path("events.log"),
            toPath: directory.path("events.log.1")
        )
        log.append(EventLines(events(3...3)))
        try log.reopen()
        log.append(EventLines(events(4...4)))
        log.flush()
        #expect(try lines("events.log.1") == events(1...3).map(\.logLine))
        #expect(try lines() == events(4...4).map(\.logLine))
    }

    @Test("A file that somebody has removed is made anew with the next line")
    func removed() throws {
        let log = try open([])
        log.append(EventLines(events(1...2)))
        log.flush()
        try FileManager.default.removeItem(atPath: directory.path("events.log"))
        log.append(EventLines(events(3...3)))
        log.flush()
        #expect(try lines() == events(3...3).map(\.logLine))
    }

    @Test("A start after a rotation doesn't repeat what the rotated file has")
    func startAfterRotation() throws {
        let old = events(1...3).map(\.logLine).joined(separator: "\n") + "\n"
        try directory.write(Array(old.utf8), to: "events.log.1")
        _ = try open(events(1...4))
        #expect(try lines() == events(4...4).map(\.logLine))
    }

    @Test(
        "The newest rotated file counts, whatever it is called",
        arguments: ["events.log-20261122", "events.log.1-20261122", "events.log.0"]
    )
    func startAfterDatedRotation(name: String) throws {
        func write(_ ids: ClosedRange<Int64>, to name: String, time: Int) throws {
            try directory.write(Array(events(ids).map { $0.logLine + "\n" }.joined().utf8), to: name)
            let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, directory.path(name), times, 0) == 0)
        }
        try write(4...6, to: name, time: 2_000)
        try write(1...3, to: "events.log.9", time: 1_000)
        try write(1...2, to: "events.logs", time: 3_000)
        _ = try open(events(1...8))
        #expect(try lines() == events(7...8).map(\.logLine))
    }

    @Test("Where the newest rotated file was compressed, nothing that it may have is repeated")
    func startAfterCompression() throws {
        try directory.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0], to: "events.log.1.gz")
        let log = try open(events(1...3))
        #expect(try lines().isEmpty)
        log.append(EventLines(events(4...4)))
        log.flush()
        #expect(try lines() == events(4...4).map(\.logLine))
    }

    @Test("A path that can't be written is refused with the path")
    func refused() {
        #expect(throws: EventLogError.self) {
            try EventLog(path: directory.path("none/events.log"), history: KeptEvents([]), logger: logger)
        }
    }

    @Test("What came in a shortage is read from the store, however much it is, and every line is there once")
    func afterShortage() throws {
        let kept = KeptEvents([])
        let log = try EventLog(
            path: directory.path("events.log"),
            history: kept,
            isHeld: true,
            logger: logger
        )
        for first in stride(from: Int64(1), through: 60_000, by: 1000) {
            let turn = events(first...first + 999)
            kept.add(turn)
            log.append(EventLines(turn))
        }
        log.flush()
        #expect(log.writtenThrough == 0)
        #expect(try lines().isEmpty)
        log.goOnWriting()
        log.flush()
        #expect(log.writtenThrough == 60_000)
        #expect(try lines() == events(1...60_000).map(\.logLine))
        log.append(EventLines(events(60_001...60_002)))
        log.flush()
        #expect(try lines().count == 60_002)
    }

    @Test("A file that takes no more, as /dev/full does, gets its lines in another one after a reopening")
    func fullDevice() throws {
        let path = directory.path("events.log")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        let kept = KeptEvents([])
        let log = try EventLog(path: path, history: kept, logger: logger)
        kept.add(events(1...3))
        log.append(EventLines(events(1...3)))
        log.flush()
        #expect(log.writtenThrough == 0)
        try FileManager.default.removeItem(atPath: path)
        try log.reopen()
        log.append(EventLines(events(4...4)))
        log.flush()
        #expect(try lines() == events(1...4).map(\.logLine))
    }

    @Test("Past what the store keeps, one line says how many are missing; a start says the same")
    func gap() throws {
        do {
            let log = try open([])
            log.append(EventLines(events(1...3)))
            log.flush()
        }
        // As the store leaves them: the last that the file has stays.
        let kept = events(3...3) + events(100...102)
        let expected = events(1...3).map(\.logLine) + ["GAP"] + events(100...102).map(\.logLine)
        for _ in 0..<2 {
            _ = try open(kept)
            let found = try lines().map { $0.contains(" - - - 96 events are missing here: ") ? "GAP" : $0 }
            #expect(found == expected)
        }
        // A crash between that line and those behind it.
        let cut = try lines().prefix(4).joined(separator: "\n") + "\n"
        try directory.write(Array(cut.utf8), to: "events.log")
        _ = try open(kept)
        #expect(try lines().count == expected.count)
    }

    @Test("What came after the clock was set back is not taken for written, where the last line is nobody's")
    func clockSetBack() throws {
        var all = events(1...4)
        for index in 2...3 { all[index].time.wall = all[index].time.wall.adding(seconds: -86_400) }
        let foreign = all[1].time.wall.adding(seconds: 0.5).rfc3339 + " - somebody's"
        try directory.write(Array((foreign + "\n").utf8), to: "events.log")
        _ = try open(all)
        #expect(try lines() == [foreign] + all[2...].map(\.logLine))
    }

    @Test("Equal lines are told apart by those before them")
    func equalLines() throws {
        let paused = events(1...1)[0]
        func event(_ id: Int64, _ kind: JobEvent.Kind) -> JobEvent {
            var event = paused
            event.id = id
            event.kind = kind
            return event
        }
        let (a, b) = (JobEvent.Kind.paused(name: "a.jpg"), JobEvent.Kind.continued(name: "a.jpg"))
        let all = [event(1, a), event(2, b), event(3, a), event(4, a), event(5, b)]
        try directory.write(Array(all[..<3].map { $0.logLine + "\n" }.joined().utf8), to: "events.log")
        _ = try open(all)
        #expect(try lines() == all.map(\.logLine))
    }
}

/// A store's history of events.
final class KeptEvents: EventHistory {
    private let events: Mutex<[JobEvent]>

    init(_ events: [JobEvent]) { self.events = Mutex(events) }

    func add(_ more: [JobEvent]) { events.withLock { $0 += more } }

    func keptEvents(after: Int64, limit: Int) -> [JobEvent] {
        events.withLock { Array($0.drop { $0.id <= after }.prefix(limit)) }
    }

    func keptEvents(upTo last: Int64, limit: Int) -> [JobEvent] {
        events.withLock { Array($0.prefix { $0.id <= last }.suffix(limit)) }
    }
}
