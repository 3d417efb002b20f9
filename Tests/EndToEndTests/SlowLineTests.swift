import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// Tests of who comes first on a slow line, through the real daemon.
    ///
    /// The order always holds. Times are held against their limits with QUIET_MACHINE=1, which also makes the
    /// lists as long and the pictures as large as somebody's may be.
    @Suite(
        .serialized,
        .enabled(if: OwnNetwork.isPossible, OwnNetwork.comment),
        .timeLimit(.minutes(10))
    )
    struct SlowLineTests {
        private let network: OwnNetwork
        private let list: ListOrigin
        private let installation: Installation
    }
}

extension Alone.SlowLineTests {
    private static let isQuiet = ProcessInfo.processInfo.environment["QUIET_MACHINE"] == "1"
    /// The length of each picture in bytes.
    private static let length = isQuiet ? 200_000 : 40_000
    /// The number of pictures in a long list.
    private static let count = isQuiet ? 10_000 : 600
    /// The most transfers at once, all of one host.
    private static let width = 6

    init() throws {
        let network = try OwnNetwork()
        self.network = network
        try network.slow(to: "2mbit")
        list = try network.inside { try ListOrigin(count: Self.count, pageSize: 500) }
        installation = try Installation()
        let padding = OriginContent.bytes(seed: 3, count: Self.length)
        list.origin.serveOthers { OriginFile(Array($0.path.utf8) + padding).answer(to: $0) }
    }

    private func daemon() async throws -> Program {
        let flags = installation.flags
        let daemon = try network.inside {
            try Program(
                "facefetchd",
                flags,
                environment: [
                    "FACEFETCH_DETECTION_WHEN": "never", "FACEFETCH_TRANSFER_PER_HOST": "\(Self.width)",
                ]
            )
        }
        try #require(await daemon.errorLine(containing: "ready:") != nil)
        return daemon
    }

    private func post(_ folder: String, _ count: Int) async throws {
        let items = (1...count).map { "{\"url\":\"\(list.origin.url("/\(folder)/\($0).jpg"))\"}" }
        let answer = try await HTTPClient.send(
            "POST",
            "/v1/batches",
            "{\"items\":[\(items.joined(separator: ","))]}",
            to: installation.socket
        )
        #expect(answer.status == 201)
    }

    private func jobs(_ ids: [Int64]) async throws -> [JobJSON] {
        let list = ids.map(String.init).joined(separator: ",")
        let answer = try await HTTPClient.send("GET", "/v1/jobs?ids=\(list)", to: installation.socket)
        return try answer.decoded(as: PageJSON<JobJSON>.self).items
    }

    /// Waits until jobs are done, while `meanwhile` happens now and then; returns how many seconds after a
    /// moment the last of them was, and the number of its ending.
    private func finish(
        _ ids: [Int64],
        since begun: Date,
        meanwhile: () async throws -> Void = {}
    ) async throws -> (seconds: Double, ended: Int64) {
        let start = ContinuousClock.now
        var told = start
        while ContinuousClock.now - start < .seconds(300) {
            let jobs = try await jobs(ids)
            if jobs.count == ids.count, jobs.allSatisfy({ $0.state == .known(.done) }) {
                let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
                let ends = try jobs.map { try style.parse($0.finishedAt ?? "") }
                let took = ends.max()?.timeIntervalSince(begun) ?? .infinity
                return (took, jobs.compactMap(\.ended).max() ?? 0)
            }
            if ContinuousClock.now - told > .seconds(5) {
                try await meanwhile()
                told = .now
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CancellationError()
    }

    private var underWay: Set<Int64> {
        get async throws {
            let target = "/v1/jobs?state=downloading&limit=100"
            let answer = try await HTTPClient.send("GET", target, to: installation.socket)
            return Set(try answer.decoded(as: PageJSON<JobJSON>.self).items.map(\.id))
        }
    }

    private var done: [JobJSON] {
        get async throws {
            try installation.jobs(try await installation.facefetch("list", "--state", "done", "--json"))
        }
    }

    private var lastEnded: Int64 {
        get async throws { try await done.compactMap(\.ended).max() ?? 0 }
    }

    @Test("The end of a long list is there at once when somebody looks at it, and nothing else before")
    func attention() async throws {
        let daemon = try await daemon()
        let alone = 1...12
        var begun = Date()
        try await post("alone", alone.count)
        let (aloneTook, _) = try await finish(alone.map(Int64.init), since: begun)
        try await installation.addSource(list.recipe(more: "ahead: \(Self.count * 2)"))
        _ = try #require(
            try await installation.source(within: .seconds(300)) { $0.items == Self.count }
        )
        let last = Int64(alone.count + Self.count)
        let visible = Array(last - 11...last)
        let look: () async throws -> Void = {
            let body = #"{"visible":[\#(visible.map(String.init).joined(separator: ","))],"near":[]}"#
            let answer = try await HTTPClient.send(
                "PUT",
                "/v1/attention/wall",
                body,
                to: installation.socket
            )
            #expect(answer.status == 200)
        }
        let present = try await underWay
        begun = Date()
        try await look()
        // What was under way then is one of these, or has ended by now.
        let others = try await underWay.subtracting(visible).union(present)
        let before = try await lastEnded
        #expect(others.count <= 2 * Self.width)
        let (took, ended) = try await finish(visible, since: begun, meanwhile: look)
        let early = try await done.filter { ($0.ended ?? .max) > before && ($0.ended ?? .max) < ended }
        let strangers = early.map(\.id).filter { !visible.contains($0) && !others.contains($0) }
        #expect(strangers.isEmpty, "\(strangers)")
        #expect(early.count { visible.contains($0.id) } >= 6, "it was over before anybody could look")
        print("twelve pictures took \(aloneTook) s alone, \(took) s at the end of \(Self.count)")
        if Self.isQuiet { #expect(took <= 1.2 * aloneTook) }
        // Those that gave way go on from where they were.
        let again = list.origin.requests.filter { $0.path.hasPrefix("/picture/") && $0.range != nil }
        for request in again { #expect(request.header("If-Range") == "\"v1\"") }
        daemon.signal(SIGKILL)
        _ = await daemon.status
    }

    @Test("A batch of five has its share beside one of very many")
    func fairShares() async throws {
        let daemon = try await daemon()
        var begun = Date()
        try await post("alone", 5)
        let (aloneTook, _) = try await finish(Array(1...5), since: begun)
        let many = Self.isQuiet ? 100_000 : 2_000
        try await post("many", many)
        // It has the line to itself for a while.
        while try await underWay.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        try await Task.sleep(for: .seconds(1))
        let five = (1...5).map { Int64(5 + many + $0) }
        begun = Date()
        try await post("five", 5)
        let before = try await lastEnded
        let (took, ended) = try await finish(five, since: begun)
        let early = try await done.count { ($0.ended ?? .max) > before && ($0.ended ?? .max) < ended }
        // Five of theirs, those that were under way, and as many that came meanwhile.
        #expect(early <= 2 * 5 + 2 * Self.width, "\(early)")
        print("five pictures took \(aloneTook) s alone, \(took) s beside \(many)")
        if Self.isQuiet { #expect(took <= 2.5 * aloneTook) }
        daemon.signal(SIGKILL)
        _ = await daemon.status
    }
}
