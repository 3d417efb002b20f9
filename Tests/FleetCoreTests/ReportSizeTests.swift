import FleetCore
import Testing

@Suite("How many endings are reported at once")
struct ReportSizeTests {
    @Test("Fewer after each refusal, down to one, and more again with what is recorded")
    func halves() {
        var size = ReportSize()
        for _ in 0..<9 { #expect(size.refused(code: "57014", reported: size.count) == .fewer) }
        #expect(size.count == 1)
        for _ in 0..<12 { size.succeeded() }
        #expect(size.count == ReportSize.most)
        // A short report that is refused says more than the size that it could have had.
        #expect(size.refused(code: "53100", reported: 8) == .fewer && size.count == 4)
    }

    @Test(
        "Nothing of an ending is dropped for what isn't its own",
        arguments: [
            ("57014", .later), ("40P01", .later), ("53100", .later), (nil, .later), ("22P05", .strip),
        ]
            as [(String?, ReportSize.Verdict)]
    )
    func verdicts(_ code: String?, _ verdict: ReportSize.Verdict) {
        var size = ReportSize()
        #expect(size.refused(code: code, reported: 2) == .fewer)
        #expect(size.refused(code: code, reported: 1) == verdict)
    }

    @Test("An ending that is refused waits, and holds up no other but what is noted as read")
    func postpones() {
        var window = ReportWindow(behind: 0)
        let endings = (1...3).map {
            FleetEnding(job: FleetJob(fleet: "f1", job: $0, token: 1), local: $0, state: .failed)
        }
        window.accept(endings.map { ($0.local, $0) }, through: 3) { _ in false }
        window.postpone(endings[0], until: .seconds(30))
        #expect(window.ready(atMost: 9, at: .seconds(29)) == Array(endings.dropFirst()))
        window.finish(Array(endings.dropFirst()))
        #expect(window.through == 0 && window.jobs == [endings[0].job])
        #expect(window.ready(atMost: 9, at: .seconds(30)) == [endings[0]])
    }
}
