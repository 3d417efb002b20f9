import Testing

@testable import facefetch_fleet

@Suite("What a command says where the database has not done as asked")
struct FleetFailureTests {
    @Test(
        "The sentence says what to do",
        arguments: [
            (.refused(code: "42501"), "permission denied for table version", "SELECT ff.add", 1),
            (.refused(code: "42P01"), "relation doesn't exist", "facefetch-fleet init", 1),
            (.refused(code: "22023"), "item 3 has no url", "item 3 has no url", 1),
            (
                .refused(code: "3D000"), "no database x",
                "fleet.yaml names no database that is there: no database x", 78
            ),
            (.restored, "", "then run facefetch-fleet init", 1),
            (.otherVersion(found: 20, wanted: 21), "", "stop all agents", 1),
            (.otherVersion(found: 22, wanted: 21), "", "install that", 1),
            (.inUse, "node a is still running", "changed, but node a is still running: stop all agents", 1),
            (.beforeRelease, "", "schema: ff2", 1),
            (.unreachable, "connection refused", "can't be reached: connection refused", 3),
        ] as [(FleetQueueError.Kind, String, String, Int32)]
    )
    func says(kind: FleetQueueError.Kind, words: String, part: String, status: Int32) {
        let failure = FleetFailure(FleetQueueError(kind, words))
        #expect(failure.message.contains(part) && failure.status.rawValue == status, "\(failure.message)")
    }
}
