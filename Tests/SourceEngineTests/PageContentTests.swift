import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import SourceCore
@testable import SourceEngine

/// Tests of what becomes of a lister's answer.
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

    @Test(
        "However a server spells a secret, nothing that is stored of its page has it",
        arguments: [
            "S3CR3T/key", "S3CR3T%2fkey", "S3CR3T%252Fkey", "S3CR3T\\/key", "S3CR3T\\u002Fkey",
            "S3CR3T&#47;key",
            "S3CR3T&#x2F;key", "&#83;3CR3T&sol;key", "%53%33CR3T/key",
        ]
    )
    func spellings(_ said: String) throws {
        let (recipe, variables, mask) = try Self.variables()
        var item = ListedItem(url: "a.jpg?k=\(said)&x=1", key: "1 \(said)")
        item.name = "\(said).jpg"
        item.meta = "{\"said\":\"\(said.replacing("\\", with: "\\\\"))\"}"
        var answer = ListerAnswer(items: [item, ListedItem(url: "ftp://\(said)")], page: ListedPage())
        answer.page.listed = 2
        answer.page.next = .query([.init(name: "k", value: said)])
        answer.page.children = [.init(url: "https://h/s.xml?k=\(said)", changed: said)]
        let content = try PageContent(answer, of: recipe, at: Self.page, variables, mask: mask)
        let text = PercentEncoding.decode("\(content)".lowercased())
        #expect(!text.contains("cr3t"), "\(content)")
        let job = try #require(content.items.first?.job)
        #expect(variables.refilledItem(job.url.text) == "https://h/a/a.jpg?k=S3CR3T%2Fkey&x=1")
        #expect(job.name == "{api.key}.jpg" && job.options.meta?.text == #"{"said":"{api.key}"}"#)
    }

    @Test("What has to stay as it is and has a secret in it is not stored")
    func unmaskable() throws {
        let (recipe, variables, mask) = try Self.variables()
        var bucket = ListedPage.Bucket()
        (bucket.isTruncated, bucket.nextToken) = (true, "1/S3CR3T%2Fkey")
        var answer = ListerAnswer(items: [], page: ListedPage())
        answer.page.bucket = bucket
        let failure = #expect(throws: SourceFailure.self) {
            _ = try PageContent(answer, of: recipe, at: Self.page, variables, mask: mask)
        }
        #expect(failure?.message.contains("secret") == true && failure?.message.contains("CR3T") == false)
        let problem = #expect(throws: PageItem.Problem.self) {
            _ = try PageItem(
                ListedItem(url: "s3://photos/S3CR3T/key.jpg"),
                of: try Self.recipe { $0.kind = .s3 },
                at: URLReference("s3://photos/"),
                mask: mask
            )
        }
        #expect(problem?.message.contains("CR3T") == false)
    }

    @Test("A slice's variable in which a list repeats a secret is asked for with it, and stored without")
    func secretInSlice() throws {
        var (recipe, _, mask) = try Self.variables()
        recipe.url = try URLTemplate("https://h/part/{a}")
        recipe.slices = SliceRecipe(url: try URLTemplate("https://h/parts"), each: ".[]")
        var item = ListedItem(url: "", key: "1")
        item.variables = ["a": "x/S3CR3T/key"]
        let slice = Slice(item, mask: mask)
        #expect(slice.variables == ["a": "x/{api.key}"])
        let folder = try TemporaryDirectory()
        try folder.write(Array(Self.secret.utf8), to: "api.key")
        let secrets = SecretsFolder(directories: [folder.path])
        let plan = PagePlan(part: .pages(slice), cursor: .start, validators: nil, mayBeUnchanged: false)
        let address = try PageAddress(plan, of: recipe, region: nil, secrets: secrets)
        #expect(address.url.text == "https://h/part/x%2FS3CR3T%2Fkey")
        #expect(address.shown == "https://h/part/x%2F{secret__api_key}")
        #expect(address.variables.visible == ["a": "x/{api.key}"])
        // What a page has of it comes back without the slice, too.
        let repeated = try PageItem(
            ListedItem(url: "https://h/x%2FS3CR3T%2Fkey/1.jpg"),
            of: recipe,
            at: Self.page,
            address.variables,
            mask: mask
        )
        let alone = try Variables(recipe: recipe, slice: nil, secrets: ["api.key": Self.secret])
        #expect(alone.refilledItem(repeated.job.url.text) == "https://h/x%2FS3CR3T%2Fkey/1.jpg")
        // Elsewhere such a slice isn't asked for.
        var away = plan
        away.cursor.place = .url("https://other.example/{a}")
        #expect(throws: SourceFailure.self) {
            _ = try PageAddress(away, of: recipe, region: nil, secrets: secrets)
        }
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
