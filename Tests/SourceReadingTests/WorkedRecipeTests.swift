import Foundation
import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// The top of the checkout.
private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

/// Returns the names of the files in a folder with an ending, without that.
private func names(_ folder: String, _ ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root + folder)
        .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
}

/// The worked recipes in docs/recipes, each read over the play of its place in Tests/Recipes.
@Suite struct WorkedRecipeTests {
    /// The recipes whose place has a replica of its own in the end-to-end tests, which has what no play can have:
    /// signatures, compression, a real server.
    private static let replicas: Set = [
        "bucket", "endless", "feed", "folder", "mission", "records", "site", "table",
    ]

    @Test("Every worked recipe has a play, or a replica, and no play is without a recipe")
    func complete() throws {
        let recipes = try names("/docs/recipes", ".yaml")
        #expect(try recipes.filter { !Self.replicas.contains($0) } == names("/Tests/Recipes", ".txt"))
        #expect(Self.replicas.isSubset(of: recipes))
    }

    @Test(
        "Every worked recipe finds what is in the answers of its place",
        arguments: try names("/Tests/Recipes", ".txt")
    )
    func plays(_ name: String) throws {
        let text = try String(contentsOfFile: "\(root)/docs/recipes/\(name).yaml", encoding: .utf8)
        let recipe = try RecipeText.read(text)
        #expect(recipe.name == name)
        var walk = try PlayedWalk(
            recipe,
            try RecipePlay(contentsOf: "\(root)/Tests/Recipes/\(name).txt")
        )
        try walk.run()
    }
}

/// The walk of a recipe over a play.
///
/// It goes on as the play says; whether the real walk does, the end-to-end tests show.
private struct PlayedWalk {
    let recipe: Recipe
    var exchanges: ArraySlice<RecipePlay.Exchange>

    init(_ recipe: Recipe, _ play: RecipePlay) throws {
        self.recipe = recipe
        exchanges = play.exchanges[...]
    }

    mutating func run() throws {
        if recipe.slices == nil { try walk(nil) } else { try list() }
        #expect(exchanges.isEmpty, "not asked for: \(exchanges.map(\.url))")
    }

    /// Reads the list of slices; those of a page are walked before the next page.
    private mutating func list() throws {
        let program = try #require(ListerProgram(slicesOf: recipe))
        let variables = try values(nil)
        var url = try #require(recipe.slices).url.filled(variables)
        while true {
            let exchange = try self.exchange(url, variables)
            let reading = try self.read(program, exchange, url, variables)
            let expected = try #require(exchange.slices, "\(url) is no list of slices")
            #expect(reading.items.count == expected.count, "\(url)")
            for (item, text) in zip(reading.items, expected) {
                var found: [String: Any] = ["vars": item.variables ?? [:]]
                found["key"] = item.key
                found["changed"] = item.changed
                try compare(found, text, url)
                try walk(Slice(key: item.key ?? "", variables: item.variables ?? [:]))
            }
            guard let next = try self.next(reading, exchange, url, variables) else { return }
            url = next
        }
    }

    /// Reads the pages of a slice.
    private mutating func walk(_ slice: Slice?) throws {
        let program = ListerProgram(recipe)
        let variables = try values(slice)
        var url = try recipe.url.filled(variables)
        var (page, offset, said) = (1, 0, "null")
        while true {
            let exchange = try self.exchange(url, variables)
            if recipe.request != nil {
                try compareBody(program, said, exchange, variables, page, offset)
            }
            guard exchange.status == 200 else {
                #expect(page > 1 && exchange.isEnd, "\(url)")
                return
            }
            let reading = try read(program, exchange, url, variables, page, offset)
            let wanted = reading.items.filter { $0.wanted != false }
            #expect(wanted.count == exchange.items.count, "\(url): \(wanted.map(\.url))")
            for (item, text) in zip(wanted, exchange.items) { try compare(self.found(item, url), text, url) }
            let listed = try #require(reading.page)
            #expect(listed.bad == 0, "\(url): \(listed.badItems)")
            if let total = exchange.total { #expect(listed.total == total, "\(url)") }
            guard let next = try self.next(reading, exchange, url, variables) else { return }
            if case .value(let json)? = listed.next { said = json } else { url = next }
            page += 1
            offset += listed.listed
        }
    }

    private func values(_ slice: Slice?) throws -> Variables {
        let secrets = Dictionary(uniqueKeysWithValues: recipe.secrets.map { ($0, "secret-of-\($0)") })
        return try Variables(recipe: recipe, slice: slice, secrets: secrets)
    }

    /// Takes the next exchange, which must be for this URL.
    private mutating func exchange(_ url: String, _ variables: Variables) throws -> RecipePlay.Exchange {
        let next = exchanges.popFirst()
        let exchange = try #require(next, "the play ends before \(url)")
        #expect(exchange.url == variables.unfilled(url))
        #expect(exchange.method == (recipe.request == nil || exchange.slices != nil ? "GET" : "POST"))
        return exchange
    }

    private func read(
        _ program: ListerProgram,
        _ exchange: RecipePlay.Exchange,
        _ url: String,
        _ variables: Variables,
        _ page: Int = 1,
        _ offset: Int = 0
    ) throws -> Reading {
        let head = try #require(SavedHead(exchange.head))
        let reading = try Reading(program, exchange.body) {
            $0.url = variables.unfilled(url)
            ($0.page, $0.offset) = (page, offset)
            ($0.links, $0.headers) = (head.links, head.fields)
            $0.variables = variables.visible
        }
        #expect(reading.failure == nil, "\(url): \(reading.failure?.message ?? "")")
        return reading
    }

    /// Returns the URL of the next page as the page names it; nil where the play ends.
    private func next(
        _ reading: Reading,
        _ exchange: RecipePlay.Exchange,
        _ url: String,
        _ variables: Variables
    ) throws -> String? {
        let place = URLReference(url)
        let named: String? =
            switch reading.page?.next {
            case .url(let text)?: place.resolving(text).text
            case .query(let parameters)?: place.replacingQuery(parameters.map { ($0.name, $0.value) }).text
            case .value(let json)?: json
            case .end?, .rows?, nil: nil
            }
        // What goes into a body is no URL, and has no variable.
        let shown = recipe.request == nil ? named.map(variables.unfilled) : named
        #expect(shown == exchange.next, "after \(url)")
        #expect(exchange.isEnd || exchange.next != nil, "\(url) has neither next nor end")
        return exchange.isEnd ? nil : named
    }

    private func compareBody(
        _ program: ListerProgram,
        _ said: String,
        _ exchange: RecipePlay.Exchange,
        _ variables: Variables,
        _ page: Int,
        _ offset: Int
    ) throws {
        let made = try Reading(program, said) {
            $0.asksBody = true
            ($0.page, $0.offset) = (page, offset)
            $0.variables = variables.visible
        }
        #expect(made.failure == nil, "\(made.failure?.message ?? "")")
        #expect(try text(object(made.page?.body ?? "{}")) == text(object(exchange.sent ?? "{}")))
    }

    private func found(_ item: ListedItem, _ url: String) throws -> [String: Any] {
        let picture = URLReference(url).resolving(item.url).text
        var found: [String: Any] = ["url": picture, "key": item.key ?? picture]
        found["name"] = item.name
        found["folder"] = item.folder
        found["sha256"] = item.sha256
        found["priority"] = item.priority
        found["meta"] = try item.meta.map(object)
        return found
    }

    /// Checks the members that are expected, and that there is no `meta` that isn't.
    private func compare(_ found: [String: Any], _ text: String, _ url: String) throws {
        let expected = try object(text)
        for (name, value) in expected {
            let isSame = try found[name].map { try self.text($0) == self.text(value) } ?? false
            #expect(isSame, "\(name) of \(text) on \(url) is \(found[name] ?? "not there")")
        }
        if found["meta"] != nil { #expect(expected["meta"] != nil, "\(text) on \(url): \(found)") }
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    /// Returns a value as JSON that is the same for the same values.
    private func text(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: options),
            as: UTF8.self
        )
    }
}
