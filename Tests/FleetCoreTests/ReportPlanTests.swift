import FleetCore
import Testing

@Suite("What is reported of endings")
struct ReportPlanTests {
    private func ending(_ job: Int64, _ state: FleetEnding.State, path: String? = nil) -> FleetEnding {
        var ending = FleetEnding(
            job: FleetJob(fleet: "f1", job: job, token: 7),
            local: job + 100,
            state: state
        )
        ending.path = path
        return ending
    }

    @Test("Documents get the node's name; failures have no document; what was cancelled goes back")
    func plans() {
        var done = ending(1, .done, path: "/d/a b.jpg")
        (done.bytes, done.sha256, done.outcome, done.faces) = (12, "ab", "timed_out", 3)
        var failed = ending(2, .failed)
        failed.error = #"{"code":"http_404","message":"gone"}"#
        let plan = ReportPlan(
            [done, failed, ending(3, .cancelled, path: "/d/c.jpg")],
            in: .local(node: "n1")
        )
        #expect(plan.records.map(\.state) == [.done, .failed])
        #expect(plan.blamed.map(\.job) == [3] && plan.returned.isEmpty)
        let asked = ReportPlan([ending(3, .cancelled), ending(4, .cancelled)], in: .local(node: "n1")) {
            $0.job == 3
        }
        #expect(asked.returned.map(\.job) == [3] && asked.blamed.map(\.job) == [4])
        #expect(plan.records[0].document == "file://n1/d/a%20b.jpg" && plan.records[0].outcome == 3)
        #expect(plan.records[0].bytes == 12 && plan.records[0].sha256 == "ab" && plan.records[0].faces == 3)
        #expect(
            plan.records[1].document == nil && plan.records[1].bytes == nil && plan.records[1].error != nil
        )
    }

    @Test(
        "A document goes where something else is in its place, and once it is recorded in a bucket; no other does"
    )
    func orphans() {
        let endings = [
            ending(1, .done, path: "/d/1"), ending(2, .done, path: "/d/2"),
            ending(3, .cancelled, path: "/d/3"),
            ending(4, .failed), ending(5, .done, path: "/d/5"),
        ]
        let recorded: Set = [
            FleetJob(fleet: "f1", job: 1, token: 7), FleetJob(fleet: "f1", job: 2, token: 8),
        ]
        // The fifth is another fleet's of the same numbers.
        let superseded = Set(
            [2, 3, 4].map { FleetJob(fleet: "f1", job: $0, token: 7) } + [
                FleetJob(fleet: "f2", job: 5, token: 7)
            ]
        )
        func leftovers(_ place: DocumentPlace) -> [Int64] {
            ReportPlan.leftovers(of: endings, recorded: recorded, superseded: superseded, in: place)
                .map(\.local)
        }
        #expect(leftovers(.local(node: "n1")) == [102, 103])
        #expect(leftovers(.shared(folder: "/d")) == [102, 103])
        #expect(leftovers(.bucket("b", prefix: "")) == [101, 102, 103])
    }

    @Test(
        "A job's mark goes through the daemon and back; nothing else is taken for one",
        arguments: [
            "", "1", "1 ", "1 2", "1 2 3 4", "f1 0 1", "f1 -1 2", "f1 a b", "f1  2 3", " 1 2", "F 1 2",
            "f1/ 1 2",
        ]
    )
    func marks(bad: String) {
        let job = FleetJob(fleet: "0f9", job: .max, token: 12)
        #expect(FleetJob(mark: job.mark) == job && job.key == "ff-0f9-12")
        #expect(FleetJob(mark: bad) == nil)
    }
}
