import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Keys of items that have another name than the recipe says.
struct RenamedKeyTests {
    @Test(
        "The path that leads nowhere is named, with the item's beginning",
        arguments: [
            (".photos[]", ".img_src", "job.url: .img_src isn't there, only id, image"),
            (".photos", ".img_src", "job.url: .img_src isn't there, only id, image"),
            (".photos[]", ".image.small", "job.url: .image is the text \"/1.jpg\", and has no small"),
            (".photos[]", ".img_src // .src", "job.url: .img_src // .src should be a text, but is null"),
        ]
    )
    func renamed(_ items: String, _ url: String, _ message: String) throws {
        let item = "{\"id\":1,\"image\":\"/1.jpg\"}"
        let failure = try #require(try Reading(.json(items, url: url), "{\"photos\":[\(item)]}").failure)
        #expect(failure.code == "unexpected_shape" && failure.excerpt == item)
        #expect(failure.message == "no item of the page can be read: " + message)
    }

    @Test("Items that aren't there aren't blamed on the key")
    func noItems() throws {
        let page = "{\"error\":\"quota\"}"
        let failure = try #require(try Reading(.json(".photos") { $0.key = ".id" }, page).failure)
        #expect(failure.message == "items: .photos isn't there, only error" && failure.excerpt == page)
    }

    @Test("The part of a list of slices whose key has another name is named, too")
    func slices() throws {
        let program = ListerProgram.of("json") {
            ($0.isManifest, $0.items, $0.key) = (true, ".sols[]", ".sol")
            $0.variables = ["sol": ".sol"]
        }
        let failure = try #require(try Reading(program, "{\"sols\":[{\"day\":1}]}").failure)
        #expect(failure.message == "no item of the page can be read: slices.key: .sol isn't there, only day")
    }

    @Test("A select that no item of the first page can answer is an error; one that none fulfils isn't")
    func select() throws {
        func failure(_ select: String, _ page: String, number: Int = 1) throws -> ListerFailure? {
            try Reading(.json { $0.select = select }, page) { $0.page = number }.failure
        }
        let renamed = "[{\"u\":\"1\",\"kind\":\"image\"},{\"u\":\"2\",\"kind\":\"image\"}]"
        let found = try #require(try failure(".type == \"image\"", renamed))
        #expect(
            found.code == "unexpected_shape" && found.excerpt == "{\"u\":\"1\",\"kind\":\"image\"}"
                && found.message == "select: no item has what it asks for: .type isn't there, only kind, u"
        )
        #expect(try failure(".type == \"image\"", renamed, number: 2) == nil)
        #expect(try failure(".kind == \"video\"", renamed) == nil)
        #expect(try failure(".type == \"image\"", "[]") == nil)
        #expect(try failure(".type == \"image\"", "[{\"u\":\"1\",\"type\":null},{\"u\":\"2\"}]") == nil)
        #expect(try failure(".type == \"a\"", "[{\"u\":\"2\"},{\"u\":\"1\",\"type\":\"b\"}]") == nil)
        // What may be missing where it is false.
        for select in [
            ".starred", ".type == null", ".type? == \"image\"", ".type == \"image\" or .kind == 1",
        ] {
            #expect(try failure(select, renamed) == nil, "\(select)")
        }
    }

    @Test("Fields of jobs that no item of the first page has are named; one that may be missing is not")
    func fields() throws {
        func message(
            _ page: String,
            number: Int = 1,
            _ change: (inout ListerProgram) -> Void
        ) throws -> String? {
            try Reading(.json(".[]", url: ".u", change), page) { $0.page = number }.failure?.message
        }
        let page = "[{\"u\":\"1\",\"hash\":null},{\"u\":\"2\"}]"
        #expect(
            try message(page) { $0.sha256 = ".sha" }
                == "job.sha256: no item has what it asks for: .sha isn't there, only hash, u; write .sha? if it may be missing"
        )
        #expect(try message(page) { $0.name = ".title" }?.hasPrefix("job.name: no item has") == true)
        #expect(try message(page) { $0.priority = ".p" }?.hasPrefix("job.priority: no item has") == true)
        #expect(try message(page) { $0.meta = ".info" }?.hasPrefix("job.meta: no item has") == true)
        #expect(try message(page) { $0.sha256 = ".sha?" } == nil)
        #expect(try message(page) { $0.sha256 = ".hash" } == nil, "one item has it")
        #expect(try message(page, number: 2) { $0.sha256 = ".sha" } == nil)
        #expect(try message("[]") { $0.sha256 = ".sha" } == nil)
        #expect(try message(page) { $0.select = ".width > 3" }?.hasPrefix("select: no item has") == true)
        #expect(try message(page) { $0.select = ".width < 3" } == nil, "nothing is less than 3")
    }

    @Test("The listings of nginx and Caddy are read, and nothing else is taken for one")
    func autoindex() throws {
        let nginx = "[{\"name\":\"a b.jpg\",\"type\":\"file\"},{\"name\":\"d\",\"type\":\"directory\"}]"
        #expect(try Reading(.of("autoindex"), nginx).urls == ["a%20b.jpg"])
        let caddy =
            "[{\"name\":\"a b.jpg\",\"size\":5,\"url\":\"./a%20b.jpg\",\"is_dir\":false},{\"name\":\"d/\",\"is_dir\":true}]"
        #expect(try Reading(.of("autoindex"), caddy).urls == ["a%20b.jpg"])
        #expect(try Reading(.of("autoindex"), "[]").failure == nil)
        for page in ["[{\"name\":\"a.jpg\"}]", "{\"error\":\"no\"}", "[\"a.jpg\"]"] {
            let failure = try #require(try Reading(.of("autoindex"), page).failure)
            #expect(failure.code == "unexpected_shape" && failure.message.contains("neither type nor is_dir"))
        }
    }
}
