import Testing

@testable import facefetch_fleet

@Suite("How a fleet stands, in words and figures")
struct StatusPageTests {
    private var status: FleetQueue.Status {
        var node = FleetQueue.Status.Node(name: "a", lease: 29.4, buckets: 512, jobs: 40)
        node.work = .init(waiting: 3, lastMinute: 70, done: 9, failed: 2, failures: "http_404 2")
        let gone = FleetQueue.Status.Node(name: "b", goneSince: "2026-01-02T03:04:05Z", buckets: 0, jobs: 0)
        let host = FleetQueue.Status.Host(
            name: "h.example",
            queued: 5,
            held: 4,
            paused: 0,
            waiting: 1,
            done: 0,
            failed: 8,
            code: "timeout",
            oldestSeconds: 61.5
        )
        return FleetQueue.Status(
            nodes: [node, gone],
            queue: 9,
            paused: 0,
            results: 11,
            poison: 0,
            oldestSeconds: 61.5,
            lastMinute: 70,
            waited: .init(p50: 1.25, p99: 340.7),
            hosts: [host]
        )
    }

    @Test("Lines have what was asked for and no more")
    func lines() {
        var status = status
        #expect(
            StatusPage.lines(status) == [
                "a  lease 29 s  512 buckets  40 jobs, 3 of them wait  70 a minute  9 done  2 failed (http_404 2)",
                "b  gone since 2026-01-02T03:04:05Z  0 buckets  0 jobs",
                "queue 9, the oldest for 61 s",
                "results 11, 70 in the last minute, half of them within 1.3 s of being added, 99% within 340 s",
                "h.example  5 queued  4 held  1 wait for their next try  the oldest for 61 s  8 failed in 10 min, "
                    + "mostly timeout",
            ]
        )
        (status.nodes[0].work, status.hosts, status.waited) = (nil, nil, nil)
        #expect(
            StatusPage.lines(status) == [
                "a  lease 29 s  512 buckets  40 jobs",
                "b  gone since 2026-01-02T03:04:05Z  0 buckets  0 jobs",
                "queue 9, the oldest for 61 s", "results 11, 70 in the last minute",
            ]
        )
    }

    @Test("The database rests as long as it reads, and two seconds at least")
    func rests() {
        #expect(Status.rest(after: .milliseconds(5)) == .seconds(2))
        #expect(Status.rest(after: .seconds(7)) == .seconds(7))
    }

    @Test("JSON and figures have the same, and nothing where there is nothing")
    func figures() {
        var status = status
        let json = StatusPage.json(status)
        for part in [
            #""jobs":40,"waiting":3,"last_minute":70,"done":9,"failed":2,"failures":"http_404 2"}"#,
            #""waited_p50":1.25,"waited_p99":340.7,"held_since":null,"held_because":null,"hosts":[{"#,
            #"{"host":"h.example","queued":5,"held":4,"waiting":1,"#,
            #""code":"timeout","oldest_seconds":61.5}]}"#,
        ] { #expect(json.contains(part), "\(json)") }
        #expect(FleetFigures.text(status).contains("facefetch_fleet_waited_seconds{of=\"p99\"} 340.7\n"))
        (status.nodes[0].work, status.hosts, status.waited) = (nil, nil, nil)
        #expect(StatusPage.json(status).contains(#""waited_p50":null,"waited_p99":null,"held_since":null,"#))
        #expect(FleetFigures.text(status).contains("facefetch_fleet_held 0\n"))
        (status.heldSince, status.heldBecause) = ("2026-01-02T03:04:05Z", "a move")
        #expect(StatusPage.lines(status).contains("everything is held since 2026-01-02T03:04:05Z: a move"))
        #expect(FleetFigures.text(status).contains("facefetch_fleet_held 1\n"))
        #expect(!FleetFigures.text(status).contains("waited_seconds{"))
        #expect(FleetFigures.text(status).contains("# TYPE facefetch_fleet_waited_seconds gauge"))
    }
}
