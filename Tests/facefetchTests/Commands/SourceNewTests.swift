import Foundation
import TestSupport
import Testing

@testable import facefetch

@Suite("facefetch source recipes and new")
struct SourceNewTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let text = """
        # The pictures of a place, newest first. It has
        # more than one.
        #
        # Change: site, to
        #   another one.
        # Know: it wants a key: ask
        # for one.
        # Know: slowly, please.
        name: place
        url: "{site}/list"
        """

    @Test("The comment above a recipe says what it is about, what to change and what to know")
    func comment() {
        let recipe = WorkedRecipe(name: "place", text: Self.text)
        #expect(recipe.about == "The pictures of a place, newest first. It has more than one.")
        #expect(recipe.changes == ["site, to another one."])
        #expect(recipe.facts == ["it wants a key: ask for one.", "slowly, please."])
        let bare = WorkedRecipe(name: "x", text: "name: x\n# a comment further down\n")
        #expect(bare.about.isEmpty && bare.changes.isEmpty && bare.facts.isEmpty)
        #expect(WorkedRecipe(name: "x", text: "").text(named: "y") == nil)
    }

    @Test(
        "A recipe gets its new name, which stays a text",
        arguments: [
            ("cats", "name: cats"), ("2026", "name: \"2026\""), ("yes", "name: \"yes\""),
            ("NULL", "name: \"NULL\""),
        ]
    )
    func renamed(_ name: String, _ line: String) {
        let text = WorkedRecipe(name: "place", text: Self.text).text(named: name)
        #expect(text == Self.text.replacing("name: place", with: line))
    }

    @Test(
        "Names of sources are what the daemon takes",
        arguments: [
            ("a", true), ("a.b-c_d", true), ("9", true), (String(repeating: "a", count: 63), true),
            (String(repeating: "a", count: 64), false), ("", false), (".a", false), ("-a", false),
            ("a/b", false),
            ("a b", false), ("é", false), ("try", false), ("..", false),
        ]
    )
    func names(_ name: String, _ isOne: Bool) { #expect(WorkedRecipe.isName(name) == isOne) }

    @Test(
        "A slip gets the recipe that was meant",
        arguments: [
            ("mastadon", "mastodon"), ("Flickr", "flickr"), ("blusky", "bluesky"),
            ("archive", "internet-archive"),
            ("openvers", "openverse"), ("frobnicate", nil), ("", nil),
            (String(repeating: "m", count: 9000), nil),
        ] as [(String, String?)]
    )
    func slips(_ word: String, _ meant: String?) {
        let names = ["api", "bluesky", "flickr", "internet-archive", "mastodon", "openverse"]
        #expect(RecipeShelf.similar(to: word, among: names) == meant)
    }

    @Test("The start is what is said, or the recipe of that name, or the plainest one; a slip is no name")
    func start() throws {
        let names = ["api", "mastodon", "feed"]
        #expect(try SourceNew.start(of: "cats", from: nil, among: names) == "api")
        #expect(try SourceNew.start(of: "feed", from: nil, among: names) == "feed")
        #expect(try SourceNew.start(of: "feed", from: "mastodon", among: names) == "mastodon")
        let failure = #expect(throws: ClientError.self) {
            _ = try SourceNew.start(of: "mastadon", from: nil, among: names)
        }
        #expect(failure?.message.contains("\"facefetch source new mastodon\"?") == true)
        #expect(try SourceNew.start(of: "mastadon", from: "api", among: names) == "api")
    }

    @Test("The recipes of the source are found, each with a sentence, and listed")
    func listed() async throws {
        let shelf = try RecipeShelf.find()
        let names = try shelf.names()
        #expect(names.count > 20 && names.contains(RecipeShelf.plainest))
        for name in names {
            let recipe = try shelf.recipe(name)
            #expect(
                (20...100).contains(recipe.about.count) && recipe.about.last == ".",
                "\(name): \(recipe.about)"
            )
            #expect(!recipe.changes.isEmpty, "\(name) says nothing of what is to be changed")
            #expect(recipe.text(named: "x")?.contains("\nname: x\n") == true, "\(name)")
            let comment = recipe.text.split(separator: "\n").prefix { $0.hasPrefix("#") }
            #expect(comment.allSatisfy { $0.count <= 120 }, "\(name)")
        }
        let text = try await ClientProcess.run(["source", "recipes"])
        #expect(text.status == 0 && text.lines.count == names.count + 2)
        let json = try await ClientProcess.run(["source", "recipes", "--json"])
        #expect(json.status == 0 && json.lines.count == names.count)
        for line in json.lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(Set(object?.keys.map(\.self) ?? []) == ["name", "about", "change", "know", "file"])
        }
    }

    @Test("A recipe is written once, with what to change, and never over what is there")
    func written() async throws {
        let file = directory.path("my cats.yaml")
        let first = try await ClientProcess.run([
            "source", "new", "cats", "--from", "mastodon", "--out", file,
        ])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.contains("Change: ") && first.output.contains("facefetch source try '\(file)'"))
        let written = String(decoding: try directory.read("my cats.yaml"), as: UTF8.self)
        #expect(written.contains("\nname: cats\n"))
        let again = try await ClientProcess.run(["source", "new", "cats", "--out", file])
        #expect(again.status == 2 && again.errors.contains("is there already"))
        #expect(String(decoding: try directory.read("my cats.yaml"), as: UTF8.self) == written)
        let link = directory.path("link.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: directory.path("nowhere")
        )
        #expect(try await ClientProcess.run(["source", "new", "cats", "--out", link]).status == 2)
        #expect(try directory.names().sorted() == ["link.yaml", "my cats.yaml"])
    }

    @Test("What can't be done says why, and leaves nothing behind")
    func refused() async throws {
        let slip = try await ClientProcess.run(["source", "new", "x", "--from", "mastadon"])
        #expect(slip.status == 2 && slip.errors.contains("Did you mean mastodon?"))
        let name = try await ClientProcess.run(["source", "new", "../x"])
        #expect(name.status == 2 && name.errors.contains("can't be the name of a source"))
        let folder = try await ClientProcess.run(["source", "new", "x", "--out", directory.path("no/x.yaml")])
        #expect(folder.status == 1 && folder.errors.contains("can't be written"))
        let full = try await ClientProcess.run(["source", "new", "x", "--out", "-"])
        #expect(full.status == 0 && full.output.contains("\nname: x\n") && full.errors.isEmpty)
        let near = try await ClientProcess.run(["source", "new", "nasa", "--out", "-"])
        #expect(near.status == 0 && near.errors.contains("--from nasa-images"))
        #expect(try directory.names().isEmpty)
        #expect(throws: ClientError.self) { _ = try RecipeShelf(folder: directory.path("no")).names() }
    }
}
