import JobCore
import JobModel
import Testing

/// Folders in the machine: which one is wanted, and what follows where it can't be one.
struct FolderMachineTests {
    private static func harness(
        layout: String = "",
        folder: String? = nil
    ) throws -> MachineHarness {
        var harness = try MachineHarness()
        harness.context.layout = try DocumentLayout(template: layout)
        var job = harness.job
        job.options.folder = try folder.map { try DocumentFolder($0) }
        harness.machine = JobMachine(job: job)
        try harness.grantPermit()
        try harness.begin()
        return harness
    }

    @Test("A document goes to the folder of the layout, and the job says where it is")
    func layout() throws {
        var harness = try Self.harness(layout: "{host}/{year}")
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.seal()
        let folder = try DocumentFolder("example.org/2026")
        #expect(harness.job.reservation?.folder == folder)
        #expect(harness.job.shownFolder == nil)
        try harness.publish()
        #expect(harness.job.publishedFolder == folder && harness.job.shownFolder == folder)
        #expect(harness.job.name == "a.jpg")
    }

    @Test("Where the folder depends on the content, that is hashed before")
    func hashed() throws {
        var harness = try Self.harness(layout: "{sha2}")
        try harness.end(.completed(length: 100, lengthProven: true))
        guard case .seal(let wanted, mustHash: true, _) = harness.effects.last else {
            Issue.record("it isn't hashed")
            return
        }
        #expect(wanted.layout.needsHash)
        try harness.seal(sha256: "cd")
        #expect(harness.job.reservation?.folder.path == "cd")
    }

    @Test("A layout that comes while a partial is sealed has it sealed again, if its hash is missing")
    func reloaded() throws {
        var harness = try Self.harness()
        try harness.end(.completed(length: 100, lengthProven: true))
        harness.context.layout = try DocumentLayout(template: "{sha2}")
        try harness.seal(sha256: nil)
        guard case .seal(_, mustHash: true, _) = harness.effects.last else {
            Issue.record("it isn't hashed")
            return
        }
        #expect(harness.job.reservation == nil)
        try harness.seal(sha256: "ef")
        #expect(harness.job.reservation?.folder.path == "ef")
    }

    @Test("A folder that was asked for goes before the layout, and is shown from the beginning")
    func asked() throws {
        var harness = try Self.harness(layout: "{sha2}", folder: "a/b")
        #expect(harness.job.shownFolder?.path == "a/b")
        try harness.end(.completed(length: 100, lengthProven: true))
        guard case .seal(let wanted, mustHash: false, _) = harness.effects.last else {
            Issue.record("it is hashed for nothing")
            return
        }
        #expect(wanted.layout.folder(sha256: nil).path == "a/b")
        try harness.seal()
        try harness.publish()
        #expect(harness.job.shownFolder?.path == "a/b")
    }

    @Test("A name that is taken is numbered within its folder")
    func numbered() throws {
        var harness = try Self.harness(folder: "a")
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.seal()
        try harness.feed(.storage(.nameTaken(freeName: "a (2).jpg")))
        #expect(harness.job.reservation?.path == "a/a (2).jpg")
    }

    @Test("A folder that can't be one fails the job; a retry goes on with what is there")
    func badFolder() throws {
        var harness = try Self.harness(folder: "a")
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.seal()
        harness.isPublishing = false
        let failure = JobFailure(.badFolder, "a file has its place")
        try harness.feed(.storage(.publishFailed(failure, keepsPartial: true, errorNumber: 20)))
        #expect(harness.state == .failed && harness.job.failure == failure)
        #expect(harness.job.reservation == nil && harness.job.bytes == 100)
        try harness.feed(.retry(nil))
        #expect(harness.state == .queued && harness.job.options.folder?.path == "a")
    }

    @Test("So does one for a body from memory, of which nothing is left")
    func badFolderOfBody() throws {
        var harness = try Self.harness(folder: "a")
        try harness.endInMemory()
        try harness.failToStore(JobFailure(.badFolder, "a file has its place"))
        #expect(harness.state == .failed && harness.job.failure?.code == .badFolder)
        #expect(!harness.events.contains { if case .restarted = $0 { true } else { false } })
    }
}
