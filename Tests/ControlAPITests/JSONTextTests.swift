import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests that hold what is written by the rows of a shape against Foundation's encoder, and read it back.
@Suite("The JSON of the shapes")
struct JSONTextTests {
    private static func every(seed: UInt64) -> [any APIObject] {
        var shapes = RandomShapes(seed: seed)
        return [
            shapes.page(), shapes.job(), shapes.event(), shapes.batch(), shapes.status(), shapes.problem(),
            shapes.progress(), shapes.notice(), shapes.request(),
        ] + shapes.small()
    }

    private func check<Value: APIObject>(_ value: Value, _ seed: UInt64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let text = String(decoding: value.json, as: UTF8.self)
        #expect(text == String(decoding: try encoder.encode(value), as: UTF8.self), "seed \(seed)")
        #expect(try JSONDecoder().decode(Value.self, from: Data(value.json)) == value, "seed \(seed)")
    }

    @Test("The text is the encoder's, and says all that the value has, whatever that is")
    func random() throws {
        for seed in UInt64(0)..<200 {
            for value in Self.every(seed: seed) { try check(value, seed) }
        }
    }

    @Test("A page whose items are written one by one is the same text")
    func writtenItems() {
        for seed in UInt64(0)..<200 {
            var shapes = RandomShapes(seed: seed)
            let page = shapes.page()
            var items = WrittenItems<JobJSON>()
            for item in page.items { items.append(item) }
            var rest = page
            rest.items = []
            #expect(rest.json(with: items) == page.json, "seed \(seed)")
        }
    }

    private func properties(_ value: some APIObject) -> [String] {
        Mirror(reflecting: value).children.map { $0.label ?? "" }
    }

    private func rows<Value: APIObject>(_ value: Value) -> [String] { Value.shape.members.map(\.name) }

    @Test("Every property of a shape has a row")
    func rows() {
        for value in Self.every(seed: 1) {
            #expect(properties(value).count == rows(value).count, "\(type(of: value)): \(rows(value))")
            #expect(Set(rows(value)).count == rows(value).count)
        }
    }

    @Test("A text is written on one line, with what JSON has to escape and nothing else")
    func escapes() {
        let odd = "tab\t \"quotes\" back\\slash\r\nline \u{1}\u{1F}\u{8}\u{C} ü\u{2028} /path"
        let json = String(decoding: NoticeJSON(after: 1, oldest: nil, detail: odd).json, as: UTF8.self)
        let escaped =
            #"tab\t \"quotes\" back\\slash\r\nline \u0001\u001f\b\f ü"# + "\u{2028} /path"
        #expect(json == #"{"after":1,"detail":""# + escaped + #""}"#)
    }

    @Test("What isn't a number is null, as JSON has none")
    func numbers() throws {
        for number in [Double.infinity, .nan] {
            let progress = ProgressJSON(job: 1, batch: 1, bytes: 1, totalBytes: nil, bytesPerSecond: number)
            #expect(String(decoding: progress.json, as: UTF8.self).contains(#""bytes_per_second":null"#))
        }
    }
}
