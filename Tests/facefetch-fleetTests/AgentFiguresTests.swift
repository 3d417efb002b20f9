import FleetCore
import Testing

@testable import facefetch_fleet

@Suite("An agent's figures")
struct AgentFiguresTests {
    @Test("What was recorded is counted by how it ended, and what others had taken over apart")
    func counts() {
        let jobs = (1...4).map { FleetJob(fleet: "f1", job: $0, token: 9) }
        var plan = ReportPlan()
        plan.records = [
            FleetRecord(job: jobs[0], state: .done), FleetRecord(job: jobs[1], state: .failed),
            FleetRecord(job: jobs[2], state: .done),
        ]
        plan.blamed = [jobs[3]]
        var figures = AgentFigures()
        figures.add(plan, recorded: [jobs[0], jobs[1]])
        #expect([figures.done, figures.failed, figures.stale, figures.returned] == [1, 1, 1, 1])
    }

    @Test("Each family has its help and type, and each sample the node's name")
    func text() {
        var figures = AgentFigures()
        figures.claims.add(.milliseconds(1500))
        (figures.claimed, figures.failed) = (12, 3)
        let text = figures.text(.init(held: 7, lease: 29), node: #"a"b"#)
        let lines = text.split(separator: "\n")
        #expect(text.hasSuffix("\n"))
        for line in [
            "# TYPE facefetch_fleet_held_jobs gauge", #"facefetch_fleet_held_jobs{node="a\"b"} 7"#,
            #"facefetch_fleet_lease_seconds{node="a\"b"} 29"#,
            #"facefetch_fleet_claimed_jobs_total{node="a\"b"} 12"#,
            #"facefetch_fleet_recorded_jobs_total{node="a\"b",state="failed"} 3"#,
            #"facefetch_fleet_failures_total{node="a\"b",of="daemon"} 0"#,
            #"facefetch_fleet_claim_seconds_sum{node="a\"b"} 1.5"#,
            #"facefetch_fleet_claim_seconds_count{node="a\"b"} 1"#,
        ] { #expect(lines.contains { $0 == line }, "\(line)") }
        let types = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(Set(types).count == types.count)
    }
}
