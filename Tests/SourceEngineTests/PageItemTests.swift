import JobModel
import SourceCore
import Testing

@testable import SourceEngine

struct PageItemTests {
    private static func recipe(_ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        change(&recipe)
        return recipe
    }

    private static let page = URLReference("https://h/a/list?page=1")

    @Test("URLs are relative to the page, and an item is known by its URL where nothing else is said")
    func resolving() throws {
        let item = try PageItem(ListedItem(url: "../b/c.jpg"), of: try Self.recipe(), at: Self.page)
        #expect(item.job.url.text == "https://h/b/c.jpg" && item.key == "https://h/b/c.jpg")
        #expect(item.job.options.source == "s" && item.job.options.itemKey == item.key)
        let keyed = try PageItem(ListedItem(url: "c.jpg", key: "7"), of: try Self.recipe(), at: Self.page)
        #expect(keyed.key == "7" && keyed.hash != item.hash)
    }

    @Test("What can't be fetched is bad: files, other buckets' objects, plain http where that is refused")
    func refused() throws {
        let recipe = try Self.recipe { $0.insecure = .refuse }
        for url in ["file:///etc/passwd", "s3://bucket/key", "http://h/a.jpg", "javascript:1", "https://"] {
            #expect(throws: PageItem.Problem.self, "\(url)") {
                _ = try PageItem(ListedItem(url: url), of: recipe, at: Self.page)
            }
        }
        let upgraded = try PageItem(
            ListedItem(url: "http://h/a.jpg"),
            of: try Self.recipe { $0.insecure = .upgrade },
            at: Self.page
        )
        #expect(upgraded.job.url.text == "https://h/a.jpg")
    }

    @Test("Objects of a bucket keep their keys as they are written")
    func objects() throws {
        var settings = try Self.recipe()
        settings.kind = .s3
        let url = S3Location.objectURL(bucket: "photos", key: "a b/+=(1)é//x.jpg")
        let item = try PageItem(ListedItem(url: url), of: settings, at: URLReference("s3://photos/a"))
        #expect(item.job.url.isObject && item.job.url.text == url)
        #expect(throws: PageItem.Problem.self) {
            _ = try PageItem(ListedItem(url: url), of: settings, at: URLReference("s3://other/"))
        }
    }

    @Test("What other nodes of a fleet couldn't fetch isn't handed to it")
    func fleet() throws {
        let recipe = try Recipe(
            reading: [
                "name": "s", "kind": "html", "url": "https://h/list?k={key}", "queue": "fleet",
                "vars": ["key": ["secret": "k"]], "headers": ["Authorization": ["secret": "k"]],
            ]
        )
        let variables = try Variables(recipe: recipe, slice: nil, secrets: ["k": "s3cret"])
        func item(_ url: String, _ recipe: Recipe) throws -> PageItem {
            try PageItem(ListedItem(url: url), of: recipe, at: Self.page, variables)
        }
        for url in ["https://h/a.jpg", "https://cdn/a.jpg?k=s3cret", "https://me:pw@cdn/a.jpg"] {
            let problem = #expect(throws: PageItem.Problem.self, "\(url)") { _ = try item(url, recipe) }
            #expect(problem?.message.contains("with queue: fleet other nodes") == true)
        }
        let other = try item("https://cdn/a.jpg", recipe)
        var handed = HandedItem(id: 7, source: "s", url: "https://cdn/a.jpg")
        #expect(other.handed(least: 7, of: recipe, region: nil) == handed)
        // Nothing secret is sent to its own server.
        let plain = try Self.recipe { $0.queue = .fleet }
        handed.url = "https://h/a.jpg"
        #expect(try item("https://h/a.jpg", plain).handed(least: 7, of: plain, region: nil) == handed)
    }

    @Test("An object of a public bucket is handed to a fleet by the URL at which everybody finds it")
    func publicObjects() throws {
        var recipe = try Self.recipe { $0.queue = .fleet }
        recipe.kind = .s3
        let url = S3Location.objectURL(bucket: "photos", key: "a b/é.jpg")
        let item = try PageItem(ListedItem(url: url), of: recipe, at: URLReference("s3://photos/a"))
        let handed = item.handed(least: 1, of: recipe, region: "eu-west-3")
        #expect(handed.url == "https://photos.s3.eu-west-3.amazonaws.com/a%20b/%C3%A9.jpg")
    }

    @Test("A name from a page is made safe, and meta is an object or nothing")
    func names() throws {
        var listed = ListedItem(url: "a.jpg")
        listed.name = "../../etc/passwd"
        listed.meta = "{\"camera\":\"FHAZ\"}"
        let item = try PageItem(listed, of: try Self.recipe(), at: Self.page)
        #expect(DocumentName.isSafe(item.job.name ?? ""))
        #expect(item.job.options.meta?.text(of: "camera") == "FHAZ")
        listed.meta = "[1]"
        #expect(throws: PageItem.Problem.self) {
            _ = try PageItem(listed, of: try Self.recipe(), at: Self.page)
        }
    }

    @Test("A folder from a page is made safe, and one that leads elsewhere is a problem of its item")
    func folders() throws {
        var listed = ListedItem(url: "a.jpg")
        listed.folder = "Mars//.hidden/sol 7/"
        let item = try PageItem(listed, of: try Self.recipe(), at: Self.page)
        #expect(item.job.options.folder?.path == "Mars/hidden/sol 7")
        listed.folder = ""
        #expect(try PageItem(listed, of: try Self.recipe(), at: Self.page).job.options.folder == nil)
        for folder in ["../x", "/etc", "a/./b", "1/2/3/4/5/6/7/8/9"] {
            listed.folder = folder
            let problem = #expect(throws: PageItem.Problem.self) {
                _ = try PageItem(listed, of: try Self.recipe(), at: Self.page)
            }
            #expect(problem?.message.hasPrefix("job.folder: ") == true)
        }
    }

    @Test("A meta in which the names of secrets are longer than those is kept all the same, without them")
    func lengthened() throws {
        let mask = SecretMask(["a_rather_long_name_of_a_secret": "k3y!"])
        let value = String(repeating: "k3y! ", count: 800)
        var listed = ListedItem(url: "c.jpg")
        listed.meta = "{\"note\":\"\(value)\"}"
        let item = try PageItem(listed, of: try Self.recipe(), at: Self.page, mask: mask)
        let meta = try #require(item.job.options.meta)
        #expect(meta.text.utf8.count <= JobMeta.maximumLength && !meta.text.contains("k3y!"))
        #expect(meta.text(of: "note")?.hasPrefix("*** ***") == true)
    }
}
