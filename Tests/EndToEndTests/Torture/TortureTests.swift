import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Testing

extension Alone {
    /// The daemon is killed at random moments while it works: the promises hold all the same.
    ///
    /// `make torture` runs it at length; KILLS, FILES, LARGEST (bytes) and SEED set how
    /// long, how much, and which run. With LINKS=1, documents get their names by links, as on NFS; with LAYOUT, they
    /// go to the folders of that template. RATE limits all transfers together; with PAUSES=1, jobs are paused and go on
    /// all the time.
    @Suite(.serialized) struct TortureTests {}
}

extension Alone.TortureTests {
    /// Bytes that may be fetched again for each transfer that a kill cut off.
    private static let refetchLimit = 8 * 1024 * 1024
    /// Transfers at once.
    private static let concurrency = 16
    /// Streams in which a large file comes (`transfer.segments`).
    private static let streamsOfLarge = 4
    /// Bytes of the largest small file where requests share connections.
    private static let largestShared = 128 * 1024
    /// Seconds that a daemon lives at the most before it is killed, where the machine is not busy.
    private static let shortestLimit = 0.4

    @Test(
        "However often the daemon is killed, no job is lost, no document is wrong, and little is fetched twice"
    )
    func survivesKills() async throws {
        try await torture(kills: Self.setting("KILLS") ?? 6, count: Self.setting("FILES") ?? 25)
    }

    @Test(
        "The same holds on a disk that fills now and then",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func survivesFullDisk() async throws {
        let kills = Self.setting("KILLS") ?? 5
        try await torture(kills: kills, count: Self.setting("FILES") ?? 12, onDisk: true)
    }

    @Test(
        "The same holds where many small files come over one connection",
        .enabled(if: TortureDoor.canBeShared, "nginx and openssl have to be installed")
    )
    func survivesKillsOfStreams() async throws {
        try await torture(
            kills: Self.setting("KILLS") ?? 6,
            count: Self.setting("FILES") ?? 150,
            largest: Self.largestShared,
            isShared: true
        )
    }

    private func torture(
        kills: Int,
        count: Int,
        largest: Int? = nil,
        onDisk: Bool = false,
        isShared: Bool = false
    ) async throws {
        let seed = Self.setting("SEED").map { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
        let begun = ContinuousClock.now
        let circumstances = onDisk ? " on a disk that fills" : isShared ? " over shared connections" : ""
        print("torture\(circumstances): KILLS=\(kills) FILES=\(count) SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let files =
            try (Self.setting("LARGEST") ?? largest).map {
                try TorturedFiles(count: count, largest: $0, using: &generator)
            } ?? TorturedFiles(count: count, using: &generator)
        let origin = try Origin.start()
        defer { origin.stop() }
        let door = try TortureDoor(to: origin, isShared: isShared)
        defer { door.close() }
        // Files of batches that got no answer may come twice.
        let disk = onDisk ? try MemoryDisk(bytes: 2 * files.totalCount + 64 << 20) : nil

        let byLinks = Self.setting("LINKS") != nil
        let torture = try Torture(
            installation: try Installation(in: disk?.path),
            files: files,
            origin: origin,
            door: door,
            canBeFull: onDisk,
            byLinks: byLinks,
            layout: Self.text("LAYOUT"),
            rate: Self.text("RATE"),
            isPaused: Self.text("PAUSES") != nil
        )
        // Where everything takes longer, daemons live longer, or nothing would ever be cut off.
        let patience = isShared ? 3.0 : 1
        let longestLife = patience * max(Self.shortestLimit, 2 * (try await torture.secondsOfAsking()))
        let watch = SegmentWatch()
        let seconds = Double(kills) * longestLife / 2
        let pace = isShared ? Pace.ofRequests(files, over: seconds) : Pace.ofBytes(files, over: seconds)
        Self.serve(files, from: origin, watch, at: pace)
        var rest = files.files[...]
        for kill in 0..<kills {
            // The batches come in the first third, so that the last kills meet every stage of a job.
            let slices = max(1, kills / 3 - kill)
            let slice = kill >= kills / 3 ? rest : rest.prefix(rest.count / slices)
            rest = rest.dropFirst(slice.count)
            let moment = Double.random(in: 0...longestLife, using: &generator)
            let beforeReady = Int.random(in: 0..<5, using: &generator) == 0
            if let disk {
                let room = Int.random(in: 0...4 << 20, using: &generator)
                let isFull = Bool.random(using: &generator)
                if isFull, kill > 0 { disk.fill(leaving: room) } else { disk.empty() }
            }
            if kill == 0 {
                // The first lives until a file comes in segments, so that its kill, and the next ones, cut them off.
                try await torture.run(adding: Array(slice), killedAfter: moment, beforeReady: false) {
                    await watch.sighted()
                }
            } else {
                try await torture.run(adding: Array(slice), killedAfter: moment, beforeReady: beforeReady)
            }
            try torture.checkDocuments()
        }
        torture.noteBytesSent()
        pace.end()
        disk?.empty()
        try await torture.finish(adding: Array(rest))
        try torture.checkDocuments()
        try torture.checkOwners()
        try torture.checkBytesSent(limit: Self.refetchLimit)
        torture.checkSegments()
        torture.checkStreams()
        print("torture: \(torture.summary); \((ContinuousClock.now - begun).components.seconds) s")
    }

    /// Serves them at a pace.
    private static func serve(
        _ files: TorturedFiles,
        from origin: Origin,
        _ watch: SegmentWatch,
        at pace: Pace
    ) {
        for file in files.files {
            let served = files.origin(file)
            origin.serve("/" + file.name) { request in
                watch.note(request, of: file)
                let answer = served.answer(to: request)
                return pace.speed(of: file).map { answer.paced(bytesPerSecond: $0) } ?? answer
            }
        }
    }

    private static func text(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// The speed of answers, so low that the batch outlives the kills.
    final class Pace: Sendable {
        private let bytesPerSecond: Mutex<(@Sendable (TorturedFiles.File) -> Int)?>

        private init(_ bytesPerSecond: @escaping @Sendable (TorturedFiles.File) -> Int) {
            self.bytesPerSecond = Mutex(bytesPerSecond)
        }

        /// All files at the same speed, which brings all bytes in this time.
        static func ofBytes(_ files: TorturedFiles, over seconds: Double) -> Pace {
            let speed = max(50_000, Int(Double(files.totalCount) / seconds / Double(concurrency)))
            return Pace { _ in speed }
        }

        /// Each small file in the same time, in which all come in this time; and large ones soon, since little
        /// else comes beside them.
        ///
        /// A large file has this speed in all of its streams together. A kill costs what the kernel holds of its
        /// connection, which is little only while the daemon reads as fast as bytes come, on a busy machine, too.
        static func ofRequests(_ files: TorturedFiles, over seconds: Double) -> Pace {
            let each = seconds * Double(concurrency) / Double(max(1, files.files.count))
            return Pace { file in
                Int(Double(file.count) / (file.isLarge ? seconds / 2 * Double(streamsOfLarge) : each))
            }
        }

        /// The bytes a second of a file's answer; nil for as many as there are.
        func speed(of file: TorturedFiles.File) -> Int? { bytesPerSecond.withLock { $0 }?(file) }

        /// Lets everything come at once from now on.
        func end() { bytesPerSecond.withLock { $0 = nil } }
    }
}
