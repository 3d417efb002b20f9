import Foundation
import SourceCore
import TestSupport
import TestTraits
import Testing

/// Recipes, and what they find, as `facefetch-lister` reads and shows them by hand.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct RecipeByHandTests {
    @Test("What steers a terminal or hides text is printed as an escape that means the same")
    func escapes() throws {
        let name = "a\u{9B}31mb\u{202E}c\u{2028}d\u{7F}\u{E0001}é"
        let item = try JSONEncoder().encode([["u": "http://h/\(name)", "n": name]])
        let run = try ListerRun.page(
            "name: a\nurl: http://h/\nitems: .[]\njob: {url: .u, name: .n, key: .n, meta: '{n: .n}'}\n"
                + "next: '.[0].n'\n",
            Array(item)
        )
        #expect(run.status == 0, "\(run.errors)")
        let text = String(decoding: run.output, as: UTF8.self)
        for scalar in "\u{9B}\u{202E}\u{2028}\u{7F}\u{E0001}".unicodeScalars {
            #expect(!text.unicodeScalars.contains(scalar), "\(scalar.value)")
        }
        #expect(text.contains("é") && text.contains(#"\u009b"#) && text.contains(#"\udb40\udc01"#))
        struct Item: Decodable {
            var name: String
            var key: String
            var meta: [String: String]
        }
        let read = try JSONDecoder().decode(Item.self, from: Data((run.lines.first ?? "").utf8))
        #expect(read.key == name && read.meta == ["n": name])
    }

    @Test(
        "A recipe that is made to cost much is refused in a sentence",
        arguments: RecipeBombs.all.map(\.name)
    )
    func bombs(name: String) throws {
        let bomb = try #require(RecipeBombs.all.first { $0.name == name })
        let run = try ListerRun.page(bomb.text, Array("[]".utf8))
        #expect(run.status == 2 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.hasPrefix("facefetch-lister: "), "\(run.errors)")
        #expect(!run.errors.contains("killed by") && !run.errors.contains("took longer"), "\(run.errors)")
    }

    @Test("For the daemon, each recipe is read by a process of its own")
    func served() throws {
        let texts = ["name: a\nurl: [", RecipeBombs.hashed, "url: http://h/\nitems: .[]\njob: {url: .u}\n"]
        var input = try ListerFrame(.program, ListerProgram.recipes).bytes
        for (index, text) in texts.enumerated() {
            var request = RecipeRequest(text, name: "given")
            request.id = UInt64(index + 1)
            input += try ListerFrame(.recipe, id: request.id, request).bytes
        }
        let run = try ListerRun(["--serve", "--pages", "/tmp"], input: input)
        var reader = ListerFrameReader()
        reader.append(run.output)
        var frames: [ListerFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        #expect(frames.map(\.kind) == [.greeting, .values, .values, .values], "\(run.errors)")
        #expect(frames.map(\.id) == [0, 1, 2, 3])
        let answers = try frames.dropFirst().map { try $0.decode(RecipeAnswer.self) }
        #expect(answers[0].problems.first?.message.contains("not valid YAML") == true)
        #expect(answers[1].problems.first?.message.contains("a name must be a word") == true)
        #expect(answers[2].problems.isEmpty && !answers[2].pieces.isEmpty && answers[2].shown == nil)
    }
}
