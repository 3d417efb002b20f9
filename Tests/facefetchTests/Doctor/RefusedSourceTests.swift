import ControlAPI
import Testing

@testable import facefetch

/// The doctor's words about a source whose stored recipe is refused.
struct RefusedSourceTests {
    @Test("A source whose recipe is refused is to be replaced or removed, which no walk mends")
    func advice() throws {
        var examination = Examination(
            status: Samples.status,
            socketPath: "/s",
            clientVersion: "0.1.0",
            clock: .init(year: 2027, isSynchronized: true)
        )
        var source = SourceJSON(
            name: "mars",
            kind: "",
            state: .init(code: .known(.failed), until: nil, reason: nil),
            url: "",
            every: nil,
            createdAt: "2026-11-21T06:45:03.611Z",
            recipe: ""
        )
        source.lastError = .init(code: "bad_recipe", message: "its stored recipe can't be used", excerpt: nil)
        examination.sources = [source]
        let finding = try #require(examination.findings.first { $0.about == "source" })
        #expect(finding.verdict == .known(.trouble) && finding.text.contains("can't be used"))
        #expect(finding.advice?.contains("facefetch source remove mars") == true)
        #expect(SourcePages.lines(source, pages: []).first?.hasSuffix("mars") == true)
    }
}
