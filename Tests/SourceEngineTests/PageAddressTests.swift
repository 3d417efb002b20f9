import TestSupport
import Testing

@testable import SourceCore
@testable import SourceEngine

/// Tests of where pages are asked for, and with what.
struct PageAddressTests {
    private static let mark = "S3CR3T"

    private static func recipe(_ change: (inout Recipe) throws -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(name: "s", url: try URLTemplate("{base}/list?k={key}"))
        recipe.variables = [
            .init("base", .text("https://own.example/v1")), .init("key", .secret("k", fallback: nil)),
        ]
        recipe.headers = [.init(name: "X-Key", value: .secret("k"))]
        try change(&recipe)
        return recipe
    }

    private static func address(
        _ recipe: Recipe,
        _ part: WalkState.Part = .pages(nil),
        at place: Cursor.Place = .first
    ) throws -> PageAddress {
        let folder = try TemporaryDirectory()
        try folder.write(Array(mark.utf8), to: "k")
        let plan = PagePlan(part: part, cursor: Cursor(place: place), validators: nil, mayBeUnchanged: false)
        return try PageAddress(
            plan,
            of: recipe,
            region: nil,
            secrets: SecretsFolder(directories: [folder.path])
        )
    }

    @Test(
        "A page elsewhere is never asked for with a secret, whoever has said where it is",
        arguments: [
            "https://other.example/list?k={key}", "http://own.example:8080/list?k={key}", "{key}/list",
            "https://own.example.other/list?k={key}", "https://{key}.other.example/",
        ]
    )
    func elsewhere(_ next: String) throws {
        let recipe = try Self.recipe()
        #expect(throws: SourceFailure.self) { try Self.address(recipe, at: .url(next)) }
        let child = Slice(key: "c", url: next)
        #expect(throws: SourceFailure.self) { try Self.address(recipe, .pages(child)) }
        var sliced = recipe
        sliced.slices = SliceRecipe(url: try URLTemplate(next), each: ".[]")
        #expect(throws: SourceFailure.self) { try Self.address(sliced, .manifest) }
    }

    @Test("A server that a list of slices names gets no secret, in its URL or in a field")
    func named() throws {
        let parts = try URLTemplate("https://own.example/m")
        for base in ["https://other.example", "https://own.example/v1"] {
            let slice = Slice(key: "1", variables: ["base": base])
            var recipe = try Self.recipe {
                $0.slices = SliceRecipe(url: parts, each: ".[]")
                $0.slices?.variables = [.init(name: "base", expression: ".")]
            }
            #expect(throws: SourceFailure.self) { try Self.address(recipe, .pages(slice)) }
            recipe.url = try URLTemplate("{base}/list")
            #expect(try Self.address(recipe, .pages(slice)).ownFields.isEmpty)
        }
    }

    @Test(
        "A list within a slice is asked for with that slice's variables, and for no secret at another server"
    )
    func lists() throws {
        var recipe = try Self.recipe()
        let parent = WalkState.Part.list(
            of: Slice(key: "1", variables: ["manifest": "https://other.example/m"])
        )
        recipe.slices = SliceRecipe(url: try URLTemplate("https://own.example/c"), each: ".[]")
        recipe.slices?.variables = [.init(name: "manifest", expression: ".")]
        recipe.slices?.slices = SliceRecipe(url: try URLTemplate("{manifest}"), each: ".[]")
        let address = try Self.address(recipe, parent)
        #expect(address.url.text == "https://other.example/m" && address.ownFields.isEmpty)
        #expect(
            try Self.address(recipe, parent, at: .url("https://o.example/2")).url.text
                == "https://o.example/2"
        )
        recipe.slices?.slices?.url = try URLTemplate("{manifest}?k={key}")
        #expect(throws: SourceFailure.self) { try Self.address(recipe, parent) }
    }

    @Test("A field with a variable of slices is sent for their pages, and for nothing else")
    func fieldsOfSlices() throws {
        var recipe = try Self.recipe {
            $0.headers = [
                .init(name: "X-Sol", value: .text(try URLTemplate("sol {sol}"))),
                .init(name: "X-Base", value: .text(try URLTemplate("{base}"))),
            ]
        }
        func values(_ part: WalkState.Part) throws -> [String] {
            try Self.address(recipe, part).ownFields.map(\.value)
        }
        let base = "https://own.example/v1"
        let slice = WalkState.Part.pages(Slice(key: "7", variables: ["sol": "7"]))
        recipe.variables.append(.init("sol", .each(["7", "8"])))
        #expect(try values(slice) == ["sol 7", base] && values(.pages(nil)) == [base])
        recipe.variables.removeLast()
        recipe.slices = SliceRecipe(url: try URLTemplate("{base}/m"), each: ".[]")
        recipe.slices?.variables = [.init(name: "sol", expression: ".")]
        #expect(try values(slice) == ["sol 7", base] && values(.manifest) == [base])
        // What a part doesn't say is its own mistake.
        let other = WalkState.Part.pages(Slice(key: "7", variables: ["x": "7"]))
        #expect(throws: SourceFailure.self) { try values(other) }
    }

    @Test("The source's own server gets them, by https also where a page says http")
    func own() throws {
        let recipe = try Self.recipe()
        let first = try Self.address(recipe)
        #expect(first.url.text == "https://own.example/v1/list?k=S3CR3T" && first.ownFields.count == 1)
        #expect(first.shown == "https://own.example/v1/list?k={key}")
        let next = try Self.address(recipe, at: .url("http://own.example/2?k={key}"))
        #expect(next.url.text == "https://own.example/2?k=S3CR3T" && next.ownFields.count == 1)
        let open = try Self.address(recipe, at: .url("https://other.example/2"))
        #expect(open.url.text == "https://other.example/2" && open.ownFields.isEmpty)
    }

    @Test("A page has nothing posted to another server than that of the first page")
    func posted() throws {
        let recipe = try Self.recipe { $0.request = PostRecipe(body: "{}") }
        func url(_ next: String?, _ part: WalkState.Part = .pages(nil)) throws -> String {
            try Self.address(recipe, part, at: .post(url: next, next: "null")).url.text
        }
        #expect(try url("https://own.example/2") == "https://own.example/2")
        #expect(try url("http://own.example/2") == "https://own.example/2")
        #expect(try url(nil) == "https://own.example/v1/list?k=S3CR3T")
        for other in ["https://other.example/2", "http://127.0.0.1:9200/2", "https://own.example:444/2"] {
            let failure = #expect(throws: SourceFailure.self) { try url(other) }
            #expect(failure?.message.hasPrefix("the request's body is only sent") == true)
        }
        // A list of slices may name another server, for that slice.
        let slice = WalkState.Part.pages(Slice(key: "1", url: "https://other.example/1"))
        #expect(try url("https://other.example/2", slice) == "https://other.example/2")
        #expect(throws: SourceFailure.self) { try url("https://third.example/2", slice) }
    }
}
