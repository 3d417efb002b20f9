import Foundation
import JobCore
import JobEngine
import Logging
import TestSupport
import Testing

struct EventLogTests {
    private let directory: TemporaryDirectory
    private let logger = Logger(label: "test")

    init() throws { directory = try TemporaryDirectory() }

    private func events(_ ids: ClosedRange<Int64>) -> [JobEvent] {
        let accepted = Timestamp(microseconds: 1_795_243_503_000_000)
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
        try EventLog(path: directory.path("events.log"), history: history, logger: logger)
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

    @Test("A start after a rotation doesn't repeat what the rotated file has")
    func startAfterRotation() throws {
        let old = events(1...3).map(\.logLine).joined(separator: "\n") + "\n"
        try directory.write(Array(old.utf8), to: "events.log.1")
        _ = try open(events(1...4))
        #expect(try lines() == events(4...4).map(\.logLine))
    }

    @Test("A path that can't be written is refused with the path")
    func refused() {
        #expect(throws: EventLogError.self) {
            try EventLog(path: directory.path("none/events.log"), history: [], logger: logger)
        }
    }
}
