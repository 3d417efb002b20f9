import ControlAPI
import Testing

@testable import facefetch

struct SourcePagesTests {
    private static let sentence =
        "the page should be JSON, but is HTML or XML; check the source's url and kind"

    private static func source(_ name: String, until: String?, reason: String?) -> SourceJSON {
        SourceJSON(
            name: name,
            kind: "json",
            state: .init(code: .known(reason == nil ? .idle : .failed), until: until, reason: reason),
            url: "https://h/",
            every: 60,
            createdAt: "2026-11-22T10:00:00.000Z",
            recipe: ""
        )
    }

    @Test(
        "What is wrong with a source can be read whole in a window of any width",
        arguments: [40, 80, 120, 150, nil]
    )
    func list(_ width: Int?) {
        let sources = [
            Self.source("good", until: nil, reason: nil),
            Self.source("mars", until: "2026-11-23T10:00:00.000Z", reason: Self.sentence),
            Self.source("rising\u{1b}", until: nil, reason: "it has\u{1b}[2J no key; check the source's key"),
        ]
        let lines = SourcePages.list(sources, width: width)
        let text = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text.contains(Self.sentence) && text.contains("no key; check the source's key"), "\(text)")
        #expect(!text.contains("\u{1b}"))
        #expect(lines.filter { $0.hasPrefix("good ") || $0.hasPrefix("mars ") }.count == 2)
        guard let width, width >= 80 else { return }
        #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
    }

    @Test("Sources with nothing to say are one line each at 80 columns, and a wide window has one table")
    func rows() {
        let quiet = [Self.source("good", until: nil, reason: nil)]
        #expect(SourcePages.list(quiet, width: 80).count == 2)
        let wrong = [Self.source("mars", until: nil, reason: Self.sentence)]
        #expect(SourcePages.list(wrong, width: 200).count == 2)
        #expect(SourcePages.list(wrong, width: 80).count == 3)
        #expect(SourcePages.list(wrong, width: 60).count == 4)
    }

    @Test("Lines are broken at spaces only")
    func wrapping() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("https://h/a/b/c is long".wrapped(to: 8) == ["https://h/a/b/c", "is long"])
        #expect("".wrapped(to: 8).isEmpty && "a".wrapped(to: 0) == ["a"])
    }
}
