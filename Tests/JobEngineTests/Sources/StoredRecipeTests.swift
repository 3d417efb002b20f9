import Glibc
import JobModel
import JobStore
import SourceEngine
import TestSupport
import Testing
import Vocabulary

/// Recipes of files, and those that the store has.
struct StoredRecipeTests {
    /// A recipe of so many bytes and more.
    private static func recipe(_ name: String, bytes: Int) -> String {
        SourceBench.recipe(name) + "\n"
            + String(repeating: "# as long as a line of the file may be\n", count: bytes / 39 + 1)
    }

    @Test("A recipe that is too long is refused, and of one without its state the text is read again")
    func stored() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let path = directory.path("store.sqlite")
        let before = try SourceBench(path: path) { _ in SourceBench.page("http://h/1.jpg", next: .end) }
        let refusal = await #expect(throws: SourceRefusal.self) {
            try await before.engine.apply(
                RecipeOrder(Self.recipe("one", bytes: 70_000), maySeeSecrets: false)
            )
        }
        #expect(refusal?.words == "a recipe has at most 65536 bytes")
        let text = Self.recipe("one", bytes: 60_000)
        try await before.feed.keep(SourceWrite(SourceRow(id: 1, name: "one", recipe: text, state: "{}")))
        await before.end()
        let bench = try SourceBench(path: path) { _ in SourceBench.page("http://h/1.jpg", next: .end) }
        try await bench.engine.load()
        let source = try bench.engine.source("one")
        #expect(source.recipeText == text && source.shownRecipe == text)
        bench.engine.start()
        try await bench.untilRead(source)
        await bench.end()
    }

    @Test("A source whose recipe no reader can read yet keeps its name, and goes on once one can")
    func unread() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let path = directory.path("store.sqlite")
        let before = try SourceBench(path: path) { _ in SourceBench.page("http://h/1.jpg", next: .end) }
        for (id, name) in [(1, "one"), (2, "two")] {
            let row = SourceRow(id: Int64(id), name: name, recipe: SourceBench.recipe(name), state: "{}")
            try await before.feed.keep(SourceWrite(row))
        }
        await before.end()
        let readers = BenchReader.Trouble(.max)
        let bench = try SourceBench(path: path, readers: readers) { _ in
            SourceBench.page("http://h/1.jpg", next: .end)
        }
        try await bench.engine.load()
        let lines = bench.log.lines.with { $0 }
        // The second one was not even tried, since a start has no time for that.
        #expect(bench.engine.sources().isEmpty && lines.count == 1)
        let unread = bench.engine.unreadSources().sorted { $0.name < $1.name }
        #expect(unread.map(\.name) == ["one", "two"] && unread.allSatisfy { $0.condition == .waiting })
        #expect(unread.first?.message.contains("could not be read yet") == true)
        #expect(try await bench.engine.pages(of: "one").isEmpty)
        #expect(lines.first?.contains("waits, since its recipe can't be read now") == true)
        readers.end()
        for name in ["one", "two"] {
            let refusal = await #expect(throws: SourceRefusal.self) {
                let order = RecipeOrder(SourceBench.recipe(name), maySeeSecrets: true)
                _ = try await bench.engine.apply(order)
            }
            #expect(
                refusal?.words.contains("could not be read yet") == true,
                "\(String(describing: refusal))"
            )
            var request = TransferRequest(
                job: JobID(rawValue: 1),
                url: try JobURL("http://h/1.jpg"),
                partialPath: "/nowhere",
                resume: nil
            )
            request.source = name
            let failure = #expect(throws: JobFailure.self) { try bench.engine.complete(request) }
            #expect(failure?.code == .sourceUnusable)
        }
        bench.engine.start()
        try await waitWhile { bench.engine.sources().count < 2 }
        #expect(bench.engine.sources().map(\.id).sorted() == [1, 2])
        #expect(bench.engine.unreadSources().isEmpty)
        await bench.end()
    }

    @Test("A stored recipe that is refused keeps its name and says why, until it is replaced or removed")
    func refused() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
            SourceBench.page("http://h/1.jpg", next: .end)
        }
        for (id, name) in [(1, "one"), (2, "two")] {
            let text = SourceBench.recipe(name) + "\nnonsense: 1"
            let row = SourceRow(id: Int64(id), name: name, recipe: text, state: "{}")
            try await bench.feed.keep(SourceWrite(row))
        }
        try await bench.engine.load()
        bench.engine.start()
        #expect(bench.engine.sources().isEmpty)
        let unread = bench.engine.unreadSources().sorted { $0.name < $1.name }
        #expect(unread.map(\.name) == ["one", "two"] && unread.allSatisfy { $0.condition == .failed })
        #expect(unread.allSatisfy { $0.code == "bad_recipe" && $0.message.contains("nonsense") })
        // What of it nobody should see isn't known.
        #expect(unread.map(\.shownRecipe) == ["", ""])
        #expect(try await bench.engine.pages(of: "one").isEmpty)
        let adding = await #expect(throws: SourceRefusal.self) {
            let order = RecipeOrder(SourceBench.recipe("one"), target: .new, maySeeSecrets: true)
            _ = try await bench.engine.apply(order)
        }
        #expect(adding?.words == "there is a source one already")
        let looking = #expect(throws: SourceRefusal.self) { _ = try bench.engine.source("one") }
        #expect(looking?.words.contains("nonsense") == true, "\(looking?.words ?? "")")
        // What was fetched by it is known under its number.
        let order = RecipeOrder(SourceBench.recipe("one"), maySeeSecrets: true)
        let (source, isNew) = try await bench.engine.apply(order)
        #expect(source.id == 1 && !isNew)
        try await bench.untilRead(source)
        try await bench.engine.remove("two", cancelsJobs: false)
        #expect(throws: SourceRefusal.self) { _ = try bench.engine.source("two") }
        let again = try await bench.engine.apply(RecipeOrder(SourceBench.recipe("two"), maySeeSecrets: true))
        #expect(again.source.id == 3 && again.isNew)
        #expect(bench.engine.unreadSources().isEmpty)
        await bench.end()
    }

    @Test(
        "A refused recipe that may name secrets is replaced or removed by those alone who may, and says so",
        arguments: [
            ("headers: {key: {secret: key}}", true), (#"headers: {"key":{"secret":"key"}}"#, true),
            (#"headers: {key: {"s\u0065cret": key}}"#, true),
            ("headers:\n  key:\n    ? secret\n    : key", true),
            ("# http://h/secret/s3/1", false), ("limits: {secretary: 1}", false),
            ("# s3://secrets/", false),
        ]
    )
    func refusedSecrets(line: String, isOfSecrets: Bool) async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
            SourceBench.page("http://h/1.jpg", next: .end)
        }
        let text = SourceBench.recipe("one") + "\nnonsense: 1\n" + line
        try await bench.feed.keep(SourceWrite(SourceRow(id: 1, name: "one", recipe: text, state: "{}")))
        try await bench.engine.load()
        let refusal = try bench.engine.secretsRefusal("one")
        #expect((refusal != nil) == isOfSecrets)
        let order = RecipeOrder(SourceBench.recipe("one"), maySeeSecrets: false)
        if isOfSecrets {
            #expect(refusal?.words.contains("root can replace or remove it") == true)
            let replacing = await #expect(throws: SourceRefusal.self) { try await bench.engine.apply(order) }
            #expect(replacing?.words == refusal?.words)
        } else {
            #expect(try await bench.engine.apply(order).source.id == 1)
        }
        await bench.end()
    }

    @Test("A source that names secrets is changed by nobody who may not")
    func secrets() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
            SourceBench.page("http://h/1.jpg", next: .end)
        }
        let text = SourceBench.recipe("one") + "\nheaders: {key: {secret: key}}"
        try await bench.feed.keep(SourceWrite(SourceRow(id: 1, name: "one", recipe: text, state: "{}")))
        try await bench.engine.load()
        let refusal = await #expect(throws: SourceRefusal.self) {
            let order = RecipeOrder(SourceBench.recipe("one"), maySeeSecrets: false, reset: .cursor)
            _ = try await bench.engine.apply(order)
        }
        #expect(refusal?.words == "the source one names secrets")
        #expect(try bench.engine.source("one").recipeText == text)
        await bench.end()
    }

    @Test("Of a folder's recipes, one that can't be read costs itself alone, and says why")
    func files() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
            SourceBench.page("http://h/1.jpg", next: .end)
        }
        let folder = try directory.directory("sources.d")
        // Nobody ever writes to this one.
        try #require(mkfifo(folder + "/a.yaml", 0o600) == 0)
        try directory.write(Array(Self.recipe("b", bytes: 70_000).utf8), to: "sources.d/b.yaml")
        try #require(symlink("/dev/zero", folder + "/c.yaml") == 0)
        try directory.write(
            Array("name: d\nurl: http://h/\nitems: .[]\nheaders: {a: (hidden)}\n".utf8),
            to: "sources.d/d.yaml"
        )
        try directory.write(Array(SourceBench.recipe("e").utf8), to: "sources.d/e.yaml")
        await bench.engine.apply(filesIn: folder)
        #expect(bench.engine.sources().map(\.name) == ["e"])
        let lines = bench.log.lines.with { $0 }
        #expect(
            lines == [
                "\(folder)/a.yaml: it is not a regular file",
                "\(folder)/b.yaml: it has more than 65536 bytes",
                "\(folder)/c.yaml: it is not a regular file",
                "\(folder)/d.yaml: headers.a: (hidden) only stands for the value where the recipe is shown; write the value itself, or {secret: NAME}",
                "\(folder)/e.yaml: the source e is new",
            ]
        )
        await bench.end()
    }
}
