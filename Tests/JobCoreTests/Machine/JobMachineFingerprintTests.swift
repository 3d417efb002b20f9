import JobModel
import Testing
import Vocabulary

/// Fingerprints that are made after a document was looked at.
struct JobMachineFingerprintTests {
    private let fingerprint = Fingerprint(bits: 0xABC)

    private func looked(
        _ outcome: DetectionOutcome = .counted,
        hasPicture: Bool = true
    ) throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.download()
        let picture = hasPicture ? SeenPicture(width: 4, height: 3, orientation: 1, format: "jpeg") : nil
        try harness.detect(DetectionResult(outcome: outcome, picture: picture, engine: "haar"))
        (harness.events, harness.effects) = ([], [])
        return harness
    }

    @Test("One is kept with the result, of which nothing else changes, and nobody is told")
    func kept() throws {
        var harness = try looked()
        var before = harness.job
        let fingerprint = try #require(fingerprint)
        try harness.feed(.fingerprint(fingerprint, of: before.sha256))
        #expect(harness.refusal == nil && harness.events.isEmpty && harness.effects.isEmpty)
        #expect(harness.job.fingerprint == fingerprint)
        before.detection?.picture?.fingerprint = fingerprint
        #expect(harness.job == before)
    }

    @Test("That there is none is kept, too")
    func flat() throws {
        var harness = try looked()
        var before = harness.job
        try harness.feed(.fingerprint(nil, of: before.sha256))
        #expect(harness.refusal == nil && harness.job.fingerprint == nil)
        before.detection?.picture?.isFlat = true
        #expect(harness.job == before)
    }

    @Test("That of another document, of one that is gone, or that wasn't looked at, is refused")
    func refused() throws {
        let fingerprint = try #require(fingerprint)
        var harness = try looked()
        try harness.feed(.fingerprint(fingerprint, of: "another"))
        #expect(harness.refusal != nil && harness.job.fingerprint == nil)
        harness = try looked(.unreadable)
        try harness.feed(.fingerprint(fingerprint, of: harness.job.sha256))
        #expect(harness.refusal != nil && harness.job.fingerprint == nil)
        harness = try looked(hasPicture: false)
        try harness.feed(.fingerprint(fingerprint, of: harness.job.sha256))
        #expect(harness.refusal != nil && harness.job.fingerprint == nil)
        harness = try MachineHarness()
        try harness.feed(.fingerprint(fingerprint, of: harness.job.sha256))
        #expect(harness.refusal != nil)
    }
}
