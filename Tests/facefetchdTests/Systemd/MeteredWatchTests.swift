import Dispatch
import Logging
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import facefetchd

/// Tests of what NetworkManager says of the connection, on a bus of the test's own.
@Suite("Metered connections", .ownThread, .timeLimit(.minutes(2)))
struct MeteredWatchTests {
    /// The answers of a watch, as they come.
    private final class Told: Sendable {
        private let values = Mutex<[Bool]>([])
        private let bell = DispatchSemaphore(value: 0)

        func note(_ isMetered: Bool) {
            values.withLock { $0.append(isMetered) }
            bell.signal()
        }

        /// Waits until so many have been told, and returns them all.
        func first(_ count: Int) -> [Bool] {
            while true {
                let now = values.withLock { $0 }
                if now.count >= count { return now }
                bell.wait()
            }
        }

        var all: [Bool] { values.withLock { $0 } }
    }

    /// The lines of a log, with the means to wait for one.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        private let bell = DispatchSemaphore(value: 0)

        var logger: Logger {
            Logger(label: "test") { [self] _ in
                Handler { line in
                    self.lines.withLock { $0.append(line) }
                    self.bell.signal()
                }
            }
        }

        func wait(for words: String) {
            while !lines.withLock({ $0.contains { $0.contains(words) } }) { bell.wait() }
        }

        func count(_ words: String) -> Int { lines.withLock { $0.count { $0.contains(words) } } }
    }

    private struct Handler: LogHandler {
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        let write: @Sendable (String) -> Void

        init(write: @escaping @Sendable (String) -> Void) { self.write = write }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { write("\(event.level): \(event.message)") }
    }

    @Test(
        "NetworkManager's word counts, as it changes, goes and comes back",
        .enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.comment))
    )
    func follows() throws {
        let bus = try PrivateBus()
        let daemon = try bus.start()
        defer { daemon.stop() }
        let (told, lines) = (Told(), Lines())
        let watch = MeteredWatch(address: bus.address, logger: lines.logger) { told.note($0) }
        defer { watch.stop() }
        lines.wait(for: "notice: NetworkManager isn't running: no connection counts as metered")
        let manager = try bus.startNetworkManager(metered: 1)
        #expect(told.first(1) == [true])
        // No, guess yes, guess no, unknown.
        try bus.setMetered(2)
        #expect(told.first(2) == [true, false])
        try bus.setMetered(3)
        #expect(told.first(3).last == true)
        try bus.setMetered(4)
        #expect(told.first(4).last == false)
        try bus.setMetered(1)
        #expect(told.first(5).last == true)
        manager.stop()
        #expect(told.first(6).last == false)
        let next = try bus.startNetworkManager(metered: 3)
        #expect(told.first(7).last == true)
        watch.stop()
        #expect(told.all == [true, false, true, false, true, false, true, false])
        next.stop()
    }

    @Test("Without a system bus no connection is metered, which is said once")
    func noBus() throws {
        let directory = try TemporaryDirectory()
        let (told, lines) = (Told(), Lines())
        let address = "unix:path=\(directory.path("none"))"
        let watch = MeteredWatch(address: address, logger: lines.logger, pause: 1) { told.note($0) }
        lines.wait(for: "the system bus can't be used (No such file or directory)")
        watch.stop()
        #expect(told.all.isEmpty)
        #expect(lines.count("system bus") == 1)
    }

    @Test(
        "A bus that goes away and comes back is found again",
        .enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.comment))
    )
    func busRestarts() throws {
        let bus = try PrivateBus()
        let first = try bus.start()
        let (told, lines) = (Told(), Lines())
        let manager = try bus.startNetworkManager(metered: 1)
        let watch = MeteredWatch(address: bus.address, logger: lines.logger, pause: 50) { told.note($0) }
        defer { watch.stop() }
        #expect(told.first(1) == [true])
        first.stop()
        #expect(told.first(2) == [true, false])
        manager.stop()
        let second = try bus.start()
        defer { second.stop() }
        let next = try bus.startNetworkManager(metered: 1)
        defer { next.stop() }
        #expect(told.first(3) == [true, false, true])
    }
}
