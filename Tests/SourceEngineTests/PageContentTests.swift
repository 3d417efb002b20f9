import JobCore
import ListerProtocol
import TestSupport
import Testing

@testable import SourceCore
@testable import SourceEngine

/// What becomes of a lister's answer.
struct PageContentTests {
    static let page = URLReference("https://h/a/list")

    static func recipe(_ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        change(&recipe)
        return recipe
    }

    /// An answer with items that can't become jobs.
    private static func bad() -> ListerAnswer {
        var answer = ListerAnswer(items: [], page: ListedPage())
        answer.items = [ListedItem(url: "file:///a"), ListedItem(url: "file:///b")]
        answer.page.listed = 2
        return answer
    }

    @Test("A page with bad items only is of another shape; a piece of a list in rows is read")
    func allBad() throws {
        let recipe = try Self.recipe()
        #expect(throws: SourceFailure.self) {
            _ = try PageContent(Self.bad(), of: recipe, at: Self.page, Variables())
        }
        let rows = try PageContent(
            Self.bad(),
            of: try Self.recipe { $0.kind = .csv },
            at: Self.page,
            Variables()
        )
        #expect(rows.bad == 2 && rows.listed == 2 && rows.items.isEmpty && rows.badItems.count == 2)
    }

    @Test("A place of the next page that is longer than any is not kept, and neither is such a sitemap")
    func longPlaces() throws {
        let long = String(repeating: "x", count: 60_000)
        var bucket = ListedPage.Bucket()
        (bucket.isTruncated, bucket.nextToken) = (true, long)
        for change in [
            { $0.next = .url("list?page=\(long)") },
            { $0.next = .query([.init(name: "page", value: long)]) },
            { $0.bucket = bucket },
        ] as [(inout ListedPage) -> Void] {
            var answer = ListerAnswer(items: [ListedItem(url: "a.jpg")], page: ListedPage())
            answer.page.listed = 1
            change(&answer.page)
            let failure = #expect(throws: SourceFailure.self) {
                _ = try PageContent(answer, of: try Self.recipe(), at: Self.page, Variables())
            }
            #expect(failure?.code == .unexpectedShape && failure?.message.contains("8192") == true)
        }
        var index = ListerAnswer(items: [], page: ListedPage())
        index.page.children = [
            .init(url: "https://h/\(long)", changed: nil), .init(url: "https://h/a.xml", changed: long),
        ]
        let content = try PageContent(index, of: try Self.recipe(), at: Self.page, Variables())
        #expect(content.children.map(\.key) == ["https://h/a.xml"])
        #expect(content.children.allSatisfy { ($0.changed ?? "").utf8.count <= ListedItem.longestText })
    }

    /// A secret that is sent in a header field, and what repeats it.
    private static let secret = "S3CR3T/key"

    private static func variables() throws -> (Recipe, Variables, SecretMask) {
        var recipe = try recipe()
        recipe.headers = [RecipeHeader(name: "x-key", value: .secret("api.key"))]
        let texts = ["api.key": secret]
        return (recipe, try Variables(recipe: recipe, slice: nil, secrets: texts), SecretMask(texts))
    }

    @Test("A secret of a header field that a server repeats gets into no URL and no key, and comes back")
    func repeatedInURLs() throws {
        let (recipe, variables, mask) = try Self.variables()
        var answer = ListerAnswer(
            items: [ListedItem(url: "a.jpg?k=S3CR3T%2Fkey"), ListedItem(url: "b.jpg?k=S3CR3T/key")],
            page: ListedPage()
        )
        answer.page.listed = 2
        answer.page.next = .url("list?k=S3CR3T%2Fkey&page=2")
        answer.page.children = [.init(url: "https://h/s.xml?k=S3CR3T%2Fkey", changed: "S3CR3T/key")]
        let content = try PageContent(answer, of: recipe, at: Self.page, variables, mask: mask)
        #expect(!"\(content)".contains("S3CR3T"), "\(content)")
        for item in content.items {
            #expect(variables.refilledItem(item.job.url.text).hasSuffix(".jpg?k=S3CR3T%2Fkey"))
        }
        guard case .url(let next) = content.next else { return #expect(Bool(false)) }
        #expect(try variables.refilled(next) == "https://h/a/list?k=S3CR3T%2Fkey&page=2")
        let child = try #require(content.children.first)
        #expect(child.key == child.url)
        #expect(try variables.refilled(child.url ?? "") == "https://h/s.xml?k=S3CR3T%2Fkey")
        // A child is asked for with its secrets.
        let folder = try TemporaryDirectory()
        try folder.write(Array(Self.secret.utf8), to: "api.key")
        let plan = PagePlan(part: .pages(child), cursor: .start, validators: nil, mayBeUnchanged: false)
        let secrets = SecretsFolder(directories: [folder.path])
        let address = try PageAddress(plan, of: recipe, region: nil, secrets: secrets)
        #expect(address.url.text == "https://h/s.xml?k=S3CR3T%2Fkey")
        #expect(!address.shown.contains("S3CR3T"))
    }

    @Test("What a list of slices repeats of secrets is masked")
    func repeatedInSlices() throws {
        var item = ListedItem(url: "", key: "1 S3CR3T/key")
        item.changed = "S3CR3T/key"
        item.variables = ["a": "S3CR3T/key"]
        let slice = Slice(item, mask: try Self.variables().2)
        #expect(slice == Slice(key: "1 {api.key}", changed: "{api.key}", variables: ["a": "{api.key}"]))
    }

    @Test("A bucket's URL is shown without the secrets in it, and read with them")
    func secretInBucket() throws {
        var recipe = try Self.recipe { $0.kind = .s3 }
        recipe.url = try URLTemplate("s3://photos/{part}/")
        recipe.variables = [.init("part", .secret("part", fallback: nil))]
        let folder = try TemporaryDirectory()
        try folder.write(Array("S3CR3T".utf8), to: "part")
        let plan = PagePlan(part: .pages(nil), cursor: .start, validators: nil, mayBeUnchanged: false)
        let secrets = SecretsFolder(directories: [folder.path])
        let address = try PageAddress(plan, of: recipe, region: nil, secrets: secrets)
        #expect(address.shown == "s3://photos/{part}/" && address.base == "s3://photos/S3CR3T/")
    }
}
