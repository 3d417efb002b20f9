import ControlAPI
import JobEngine
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Following events")
struct EventStreamTests {
    private func paused(_ count: Int) -> [JobEvent.Kind] { (0..<count).map { .paused(name: "\($0)") } }

    @Test("events come as they happen, with ids, and progress between them without")
    func live() async throws {
        try await withServer { server in
            var client = try await EventClient(path: server.path)
            let transfer = LiveTransfer(bytes: 5, total: 10, bytesPerSecond: 2.5)
            server.engine.engine.events.publish([
                .progress(JobID(rawValue: 1), BatchID(rawValue: 1), transfer)
            ])
            let progress = try #require(try await client.next())
            #expect(progress.name == "progress" && progress.id == nil)
            let shown: ProgressJSON = try progress.decoded()
            #expect(shown == ProgressJSON(job: 1, batch: 1, bytes: 5, totalBytes: 10, bytesPerSecond: 2.5))
            try server.engine.happen([.detectionFinished(name: "a\nb", faceCount: 7)])
            let event = try #require(try await client.next())
            #expect(event.name == "job" && event.id == "1")
            let json: EventJSON = try event.decoded()
            #expect(json.kind == "detection_finished" && json.faceCount == 7 && json.elapsed == 1)
            #expect(json.message == "finished face detection in \"a\\nb\": 7 faces")
        }
    }

    @Test("a client that was away gets what it missed and goes on without gap or repeat")
    func replays() async throws {
        try await withServer { server in
            try server.engine.addHeldBatches(1)
            try server.engine.happen(paused(1200))
            var client = try await EventClient(path: server.path, lastEventID: "3")
            try server.engine.happen(paused(10))
            for id in 4...1210 {
                let event = try #require(try await client.next())
                #expect(event.id == "\(id)")
            }
        }
    }

    @Test("the newest events come first where so many are asked for, but not to a client that comes back")
    func newest() async throws {
        try await withServer { server in
            try server.engine.addHeldBatches(1)
            try server.engine.happen(paused(30))
            for (target, first) in [
                ("newest=4", 27), ("newest=1000", 1), ("newest=4&batch=1", 27), ("newest=9&after=25", 26),
            ] {
                var client = try await EventClient(path: server.path, target: "/v1/events?\(target)")
                for id in first...30 { #expect(try await client.next()?.id == "\(id)", "\(target)") }
            }
            let none = try await server.send("GET", "/v1/events?follow=false&newest=0")
            #expect(none.status == 200 && !none.text.contains("event: job"))
            // Who comes back before anything has happened goes on from there.
            #expect(none.text.hasPrefix(": following\nid: 30\n\n"))
            let now = try await server.send("GET", "/v1/events?follow=false")
            #expect(now.text.hasPrefix(": following\n\n"))
            #expect(try await server.send("GET", "/v1/events?newest=some").status == 400)
            var back = try await EventClient(
                path: server.path,
                target: "/v1/events?newest=2",
                lastEventID: "20"
            )
            #expect(try await back.next()?.id == "21")
        }
    }

    @Test("a moment narrows what is replayed, and is refused where it is none")
    func since() async throws {
        try await withServer { server in
            try server.engine.addHeldBatches(1)
            let events = try server.engine.happen(paused(5))
            for (target, ids) in [
                ("since=\(events[0].time.wall.rfc3339)", 1...5),
                ("since=2000-01-01T00:00:00Z&after=2", 3...5),
                ("after=4&since=\(events[0].time.wall.rfc3339)", 5...5),
            ] {
                var client = try await EventClient(path: server.path, target: "/v1/events?\(target)")
                for id in ids { #expect(try await client.next()?.id == "\(id)") }
            }
            let later = events[4].time.adding(seconds: 60).wall.rfc3339
            let none = try await server.send("GET", "/v1/events?follow=false&since=\(later)")
            #expect(none.status == 200 && !none.text.contains("event: job"))
            let bad = try await server.send("GET", "/v1/events?since=yesterday")
            let problem = try bad.decoded(as: ProblemJSON.self)
            #expect(bad.status == 400 && problem.code == "invalid_parameter")
        }
    }

    @Test("0 replays from the oldest that is kept; a batch narrows both what was and what is")
    func narrows() async throws {
        try await withServer { server in
            try server.engine.addHeldBatches(2)
            try server.engine.happen(paused(2), job: 1, batch: 1)
            try server.engine.happen(paused(2), job: 2, batch: 2)
            var client = try await EventClient(path: server.path, target: "/v1/events?batch=2&after=0")
            try server.engine.happen(paused(1), job: 1, batch: 1)
            try server.engine.happen(paused(1), job: 2, batch: 2)
            var ids: [String?] = []
            for _ in 1...3 { ids.append(try await client.next()?.id) }
            #expect(ids == ["3", "4", "6"])
        }
    }

    /// An engine that has forgotten its first 1023 events, and keeps the next ten.
    private func forgetful() async throws -> RunningEngine {
        let engine = try await RunningEngine(historyLimit: 5)
        try engine.addHeldBatches(1)
        try engine.happen(paused(1023))
        try engine.happen(paused(10))
        return engine
    }

    @Test(
        "a client that was away too long is told what to fetch again, and gets what is kept",
        arguments: ["1", "99999"]
    )
    func gone(last: String) async throws {
        try await withServer(engine: try await forgetful()) { server in
            var client = try await EventClient(path: server.path, lastEventID: last)
            let notice = try #require(try await client.next())
            #expect(notice.name == "gone" && notice.id == nil)
            let json: NoticeJSON = try notice.decoded()
            #expect(json.oldest == 1024 && json.detail.contains("GET /v1/jobs"))
            let first = try await client.next()
            #expect(first?.id == "1024")
        }
    }

    @Test("the last event that fell out of the history leaves no hole behind it")
    func justKept() async throws {
        try await withServer(engine: try await forgetful()) { server in
            var client = try await EventClient(path: server.path, lastEventID: "1023")
            let first = try await client.next()
            #expect(first?.id == "1024" && first?.name == "job")
        }
    }

    @Test("a follower that doesn't read is told that it missed some, and holds up nobody")
    func slow() async throws {
        var configuration = testConfiguration()
        configuration.eventBacklog = 500
        try await withServer(configuration) { server in
            var slow = try await EventClient(path: server.path)
            var quick = try await EventClient(path: server.path)
            let total = 20_000
            try server.engine.addHeldBatches(1)
            // In turns that the quick one can keep up with: each waits until it has read the last.
            var heard = 0
            for _ in 0..<(total / 400) {
                try server.engine.happen(paused(400))
                for _ in 0..<400 {
                    let event = try #require(try await quick.next())
                    heard += 1
                    #expect(event.id == "\(heard)")
                }
            }
            var last: Int64 = 0
            while let event = try await slow.next() {
                if event.name == "missed" {
                    let notice: NoticeJSON = try event.decoded()
                    #expect(notice.after == last)
                    break
                }
                last = Int64(event.id ?? "") ?? 0
            }
            #expect(last > 0 && last < Int64(total))
            // It gets what is missing by following anew.
            var anew = try await EventClient(path: server.path, lastEventID: "\(last)")
            let next = try await anew.next()
            #expect(next?.id == "\(last + 1)")
        }
    }

    @Test("a quiet stream says that it is alive")
    func heartbeat() async throws {
        var configuration = testConfiguration()
        configuration.heartbeat = .milliseconds(20)
        try await withServer(configuration) { server in
            var client = try await EventClient(path: server.path)
            let block = try await client.block()
            #expect(block == ": alive")
        }
    }

    @Test("a follower that goes is forgotten")
    func goes() async throws {
        let (numbers, changed) = AsyncStream<Int>.makeStream()
        var configuration = testConfiguration()
        configuration.followersChanged = { changed.yield($0) }
        try await withServer(configuration) { server in
            do {
                let client = try await EventClient(path: server.path)
                withExtendedLifetime(client) {}
            }
            var iterator = numbers.makeAsyncIterator()
            let first = await iterator.next()
            let second = await iterator.next()
            #expect(first == 1 && second == 0)
        }
    }

    @Test("nonsense is refused before the stream begins", arguments: ["x", "-1", "1.5"])
    func refuses(last: String) async throws {
        try await withServer { server in
            let response = try await server.send("GET", "/v1/events", fields: ["Last-Event-ID": last])
            #expect(response.status == 400)
            let none = try await server.send("GET", "/v1/events?batch=7")
            #expect(none.status == 404)
        }
    }

    @Test("streams end when the server stops, and with them the server")
    func stops() async throws {
        let client = Mutex<EventClient?>(nil)
        try await withServer { server in
            let follower = try await EventClient(path: server.path)
            client.withLock { $0 = follower }
        }
        var follower = try #require(client.withLock { $0 })
        let end = try await follower.next()
        #expect(end == nil)
    }
}
