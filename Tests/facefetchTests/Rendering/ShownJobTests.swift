import ControlAPI
import Testing

@testable import facefetch

@Suite("The page about one job")
struct ShownJobTests {
    private static let job: JobJSON = {
        var job = JobJSON(
            id: 7,
            batch: 3,
            url: "https://example.org/a.jpg",
            state: .known(.queued),
            name: "a \"b\".jpg",
            bytes: 0,
            attempts: 0,
            priority: -5,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 0
        )
        job.rateLimit = 4096
        job.isPinned = true
        return job
    }()

    @Test("a member without words of its own is a line under its name")
    func others() {
        var others = OtherMembers(
            told: OtherMembers.told.subtracting(["name", "path", "pinned", "rate_limit", "state"])
        )
        Self.job.visit(&others)
        #expect(
            others.lines.map { "\($0.label): \($0.text)" } == [
                "Name: a \"b\".jpg", "Pinned: true", "Rate limit: 4096", "State: queued",
            ]
        )
    }

    @Test("every member that is said to have words is there")
    func told() { #expect(OtherMembers.told.subtracting(JobJSON.shape.members.map(\.name)) == []) }

    @Test("a queued job is held up by what holds all, and by what holds its own host")
    func holds() {
        let holds: [StatusJSON.Hold] = [
            .init(kind: "network", reason: "no way"),
            .init(kind: "host", reason: "ours waits", host: "example.org:443"),
            .init(kind: "host", reason: "another waits", host: "example.net:443"),
            .init(kind: "host", reason: "its other port waits", host: "example.org:80"),
        ]
        let lines = ShownJob.lines(Self.job, holds: holds).filter { $0.hasPrefix("Held up") }
        #expect(lines.count == 2)
        #expect(lines.contains { $0.contains("no way") } && lines.contains { $0.contains("ours waits") })
        #expect(holds[1].concerns("https://EXAMPLE.org/b.jpg") && holds[3].concerns("http://example.org/"))
        #expect(StatusJSON.Hold(kind: "host", reason: "", host: "::1:8080").concerns("http://[::1]:8080/a"))
    }
}
