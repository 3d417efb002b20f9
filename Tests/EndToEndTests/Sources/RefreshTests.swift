import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Pictures that have changed since they were fetched, through the real daemon (`refresh: if-changed`).
@Suite(.timeLimit(.minutes(5))) struct RefreshTests {
    /// A picture as its server has it now.
    private struct Picture {
        var bytes: [UInt8]
        var entityTag: String?
        var lastModified: String?
        var type = "image/jpeg"
        /// True if the server knows conditions.
        var isConditional = true
        var status = 200

        init(_ text: String, _ entityTag: String? = nil, lastModified: String? = nil) {
            bytes = Array(text.utf8)
            (self.entityTag, self.lastModified) = (entityTag, lastModified)
        }

        func answer(to request: OriginRequest) -> OriginAnswer {
            guard status == 200 else { return OriginAnswer(status) }
            var file = OriginFile(bytes, entityTag: entityTag, lastModified: lastModified)
            file.type = type
            let tag = request.header("If-None-Match")
            let isKnown =
                tag.map { $0 == entityTag }
                ?? request.header("If-Modified-Since").map { $0 == lastModified } ?? false
            guard isConditional, isKnown else { return file.answer(to: request) }
            return OriginAnswer(304).header("ETag", entityTag)
        }
    }

    /// A list of pictures, each of which may become another one.
    private final class Pictures: Sendable {
        let list: ListOrigin
        private let pictures: Mutex<[Int: Picture]>

        init(_ pictures: [Int: Picture]) throws {
            list = try ListOrigin(count: pictures.count)
            self.pictures = Mutex(pictures)
            list.origin.serveOthers { [weak self] request in
                let number = Int(request.path.dropFirst("/picture/".count).dropLast(".jpg".count))
                let picture = self?.pictures.withLock { all in number.flatMap { all[$0] } }
                return picture?.answer(to: request) ?? OriginAnswer(404)
            }
        }

        func change(_ number: Int, _ change: @Sendable (inout Picture) -> Void) {
            pictures.withLock { all in
                if var picture = all[number] {
                    change(&picture)
                    all[number] = picture
                }
            }
        }

        func requests(_ number: Int) -> [OriginRequest] { list.origin.requests("/picture/\(number).jpg") }

        /// The requests that are no questions whether anything has changed.
        func fetches(_ number: Int) -> Int {
            requests(number).count { !$0.isConditional }
        }
    }

    private func poll(_ installation: Installation, walk: Int) async throws -> SourceJSON {
        #expect(try await installation.facefetch("source", "poll", "list").status == 0)
        return try #require(
            try await installation.source {
                $0.state.code == .ended && $0.refresh?.walk == walk && $0.refresh?.complete == true
            }
        )
    }

    @Test("A new version is stored beside the old one, and what hasn't changed or is gone stays as it is")
    func versions() async throws {
        let date = "Mon, 03 Nov 2025 06:45:03 GMT"
        var ignorant = Picture("five", "\"v1\"")
        ignorant.isConditional = false
        let pictures = try Pictures([
            1: Picture("one", "\"v1\""), 2: Picture("two", "\"v1\""), 3: Picture("three", lastModified: date),
            4: Picture("four", lastModified: date), 5: ignorant, 6: Picture("six"), 7: Picture("seven"),
            8: Picture("eight", "W/\"v1\""), 9: Picture("nine", "\"v1\""), 10: Picture("ten", "\"v1\""),
            11: Picture("eleven", "\"v1\""),
        ])
        defer { pictures.list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(pictures.list.recipe(more: "refresh: if-changed"))
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 11 })
        // Nothing has changed, and all are asked about once.
        let second = try await poll(installation, walk: 2)
        #expect(second.refresh?.asked == 11 && second.refresh?.changed == 0)
        #expect(second.refresh?.gone == 0 && second.refresh?.trouble == nil)

        pictures.change(1) { $0 = Picture("one, other", "\"v2\"") }
        pictures.change(4) { $0 = Picture("4444", lastModified: "Tue, 04 Nov 2025 06:45:03 GMT") }
        // The server gives nothing to tell this one by but its length.
        pictures.change(6) { $0 = Picture("six, other") }
        pictures.change(7) { $0 = Picture("SEVEN") }
        pictures.change(8) { $0 = Picture("eight, other", "W/\"v2\"") }
        pictures.change(9) { $0.status = 410 }
        pictures.change(10) {
            $0 = Picture("please log in", "\"page\"")
            $0.type = "text/html"
        }
        // Nobody wants it.
        try FileManager.default.removeItem(atPath: installation.documents + "/11.jpg")
        pictures.change(11) { $0 = Picture("eleven, other", "\"v2\"") }
        let third = try await poll(installation, walk: 3)
        let round = try #require(third.refresh)
        #expect((round.asked, round.changed, round.gone, round.unanswered) == (10, 4, 1, 1))
        #expect(third.lastError == nil && third.new == 0)
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 15 })
        let text = { (name: String) in String(decoding: try installation.document(name), as: UTF8.self) }
        for (number, old, new) in [
            (1, "one", "one, other"), (4, "four", "4444"), (6, "six", "six, other"),
            (8, "eight", "eight, other"),
        ] {
            #expect(try text("\(number).jpg") == old)
            #expect(try text("\(number) (2).jpg") == new)
            #expect(pictures.fetches(number) >= 2)
        }
        for number in [2, 3, 5, 9] { #expect(pictures.fetches(number) == 1, "\(number)") }
        let jobs = try await installation.allJobs()
        #expect(jobs.count == 15 && jobs.count { $0.itemKey == "1" } == 2)
        #expect(jobs.filter { $0.itemKey == "1" }.allSatisfy { $0.source == "list" && $0.meta != nil })
        #expect(await daemon.errorLine(containing: "4 have changed, 1 are gone, 1 without an answer") != nil)
        #expect(try await installation.facefetch("source", "show", "list").output.contains("asked about"))

        // The new ones are what is asked about from now on.
        let fourth = try await poll(installation, walk: 4)
        #expect(fourth.refresh?.asked == 10 && fourth.refresh?.changed == 0)
        pictures.change(1) { $0 = Picture("one, third", "\"v3\"") }
        _ = try await poll(installation, walk: 5)
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 16 })
        #expect(try text("1 (3).jpg") == "one, third")
        #expect(await daemon.stop() == 0)
    }

    @Test("A daemon that is killed between the answer and the new job asks again, and fetches once")
    func kills() async throws {
        let pictures = try Pictures([1: Picture("one", "\"v1\""), 2: Picture("two", "\"v1\"")])
        defer { pictures.list.origin.stop() }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(pictures.list.recipe(more: "refresh: if-changed"))
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 2 })
        _ = try await poll(installation, walk: 2)
        var generator = SeededGenerator(seed: 19)
        var versions = 1
        for _ in 0..<8 {
            versions += 1
            let tag = "\"v\(versions)\""
            pictures.change(1) { $0 = Picture("one \(tag)", tag) }
            let asked = pictures.requests(1).count
            #expect(try await installation.facefetch("source", "poll", "list").status == 0)
            // Before the question, between it and the new job, while that fetches, or after it.
            for _ in 0..<2000 where pictures.requests(1).count == asked {
                try await Task.sleep(for: .milliseconds(1))
            }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...30_000, using: &generator)))
            daemon.signal(SIGKILL)
            _ = await daemon.status
            daemon = try await installation.startDaemon(environment: Installation.plain)
            let wanted = versions + 1
            _ = try #require(
                try await installation.source {
                    $0.refresh?.complete == true && $0.jobs?[.known(.stored)] == wanted
                }
            )
        }
        let jobs = try await installation.allJobs()
        #expect(jobs.count { $0.itemKey == "1" } == versions && jobs.count { $0.itemKey == "2" } == 1)
        let texts = try jobs.filter { $0.itemKey == "1" }
            .map { String(decoding: try installation.document($0.name), as: UTF8.self) }
        #expect(texts == ["one"] + (2...versions).map { "one \"v\($0)\"" })
        #expect(pictures.fetches(2) == 1)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "While the hours allow no downloads nobody is asked, and what made room comes back only if it has changed"
    )
    func holds() async throws {
        let pictures = try Pictures([1: Picture("one", "\"v1\""), 2: Picture("two", "\"v1\"")])
        defer { pictures.list.origin.stop() }
        let installation = try Installation()
        let none = ["FACEFETCH_DETECTION_WHEN": "never"]
        var daemon = try await installation.startDaemon(environment: none)
        try await installation.addSource(
            pictures.list.recipe(more: "refresh: if-changed\nkeep: evictable")
        )
        _ = try #require(try await installation.source { $0.jobs?[.known(.done)] == 2 })
        for job in try await installation.allJobs() {
            let path = "/v1/jobs/\(job.id)/document"
            #expect(try await HTTPClient.send("DELETE", path, to: installation.socket).status < 300)
        }
        #expect(await daemon.stop() == 0)

        let paused = none.merging(["FACEFETCH_TRANSFER_TIMETABLE": "00:00 pause"]) { $1 }
        daemon = try await installation.startDaemon(environment: paused)
        pictures.change(2) { $0 = Picture("two, other", "\"v2\"") }
        let asked = pictures.requests(1).count
        #expect(try await installation.facefetch("source", "poll", "list").status == 0)
        _ = try #require(try await installation.source { $0.walk?.number == 2 && $0.state.code == .ended })
        #expect(pictures.requests(1).count == asked)
        #expect(await daemon.stop() == 0)

        daemon = try await installation.startDaemon(environment: none)
        _ = try #require(
            try await installation.source {
                $0.refresh?.walk == 2 && $0.refresh?.complete == true && $0.jobs?[.known(.done)] == 3
            }
        )
        #expect(pictures.fetches(1) == 1 && pictures.requests(1).count > asked)
        let jobs = try await installation.allJobs().filter { $0.path != nil }
        #expect(jobs.map(\.itemKey) == ["2"])
        #expect(try installation.document(jobs[0].name) == Array("two, other".utf8))
        #expect(await daemon.stop() == 0)
    }
}

extension OriginRequest {
    /// True if it asks only for what has changed.
    fileprivate var isConditional: Bool {
        header("If-None-Match") != nil || header("If-Modified-Since") != nil
    }
}
