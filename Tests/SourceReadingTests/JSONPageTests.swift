import SourceCore
import Testing

@testable import SourceReading

@Suite struct JSONPageTests {
    @Test("Items, nested as they are, become URLs, keys, names and what is kept with them")
    func items() throws {
        let page = """
            {"photos": [{"id": 1, "camera": {"name": "FHAZ"}, "img_src": "http://a/1.jpg"},
                        {"id": 2, "camera": {"name": "MAST"}, "img_src": "/2.jpg"},
                        {"id": 3, "camera": {"name": "FHAZ"}, "img_src": "3.jpg", "sha": "\(String(repeating: "Ab", count: 32))"}]}
            """
        let program = ListerProgram.json(".photos[]", url: ".img_src") {
            $0.select = ".camera.name == \"FHAZ\""
            $0.key = ".id"
            $0.name = "\"\\(.id).jpg\""
            $0.folder = "\"rover/\\(.camera.name)\""
            $0.sha256 = ".sha"
            $0.priority = "if .id == 3 then 5 else null end"
            $0.meta = "{camera: .camera.name, page: $page, rover: $vars.rover}"
        }
        let read = try Reading(program, page) { $0.variables = ["rover": "spirit"] }
        #expect(read.urls == ["http://a/1.jpg", "3.jpg"])
        #expect(read.items.map(\.key) == ["1", "2", "3"])
        #expect(read.items[1].wanted == false)
        #expect(read.items[2].name == "3.jpg" && read.items[2].folder == "rover/FHAZ")
        #expect(read.items[2].sha256 == String(repeating: "ab", count: 32))
        #expect(read.items.map(\.priority) == [nil, nil, 5])
        #expect(read.items[0].meta == "{\"camera\":\"FHAZ\",\"page\":1,\"rover\":\"spirit\"}")
        #expect(read.page?.listed == 3)
    }

    @Test("Items that nobody wants, and that have neither key nor URL, still differ")
    func unwanted() throws {
        let program = ListerProgram.json(".posts[]", url: ".image") { $0.select = ".image != null" }
        let read = try Reading(
            program,
            "{\"posts\": [{\"text\": \"a\"}, {\"text\": \"b\"}, {\"text\": \"a\"}]}"
        )
        let keys = read.items.compactMap(\.key)
        #expect(read.items.count == 3 && keys.count == 3 && read.items.allSatisfy { $0.wanted == false })
        #expect(keys[0] != keys[1] && keys[0] == keys[2])
    }

    @Test(
        "Integers beyond 53 bits survive, in keys, URLs and what is kept",
        arguments: [
            "9007199254740993", "1234567890123456789", "-9223372036854775808", "18446744073709551615",
            "123456789012345678901234567890",
        ]
    )
    func integers(_ number: String) throws {
        let program = ListerProgram.json(url: "\"/\\(.id).jpg\"") {
            $0.key = ".id"
            $0.meta = "{id: .id, list: .list}"
            $0.next = "{cursor: .[0].id}"
        }
        let read = try Reading(program, "[{\"id\": \(number), \"list\": [\(number),1]}]")
        #expect(read.items.first?.key == number)
        #expect(read.urls == ["/\(number).jpg"])
        #expect(read.items.first?.meta == "{\"id\":\"\(number)\",\"list\":[\"\(number)\",1]}")
        #expect(read.page?.next == .query([.init(name: "cursor", value: number)]))
    }

    @Test(
        "What is exact already stays a number",
        arguments: [
            ("9007199254740992", "9007199254740992"), ("-1", "-1"), ("0.5", "0.5"), ("1e3", "1000"),
            ("42", "42"),
        ]
    )
    func exact(_ number: String, _ kept: String) throws {
        let read = try Reading(
            .json { $0.meta = "{n: .n}" },
            "[{\"u\": \"12345678901234567890\", \"n\": \(number)}]"
        )
        #expect(read.items.first?.meta == "{\"n\":\(kept)}")
        #expect(read.urls == ["12345678901234567890"])
    }

    @Test(
        "Half a surrogate pair is U+FFFD, a whole one a character, and an escaped backslash neither",
        arguments: [
            ("\\ud800", "\u{FFFD}"), ("a\\uDC00b", "a\u{FFFD}b"), ("\\ud83d\\ude00", "\u{1F600}"),
            ("\\ud83d\\ud83d\\ude00", "\u{FFFD}\u{1F600}"), ("\\\\ud800", "\\ud800"),
            ("\\\"\\ud800\\\"", "\"\u{FFFD}\""),
        ]
    )
    func surrogates(_ escaped: String, _ text: String) throws {
        #expect(try Reading(.json(), "[{\"u\": \"\(escaped)\"}]").urls == [text])
    }

    @Test("A byte order mark, white space and bytes that are no UTF-8 are no reason to fail")
    func leniency() throws {
        let read = try Reading(
            .json(),
            [0xEF, 0xBB, 0xBF, 0x20] + Array("[{\"u\": \"a".utf8) + [0xFF] + Array("\"}]".utf8)
        )
        #expect(read.urls == ["a\u{FF}"])
    }

    @Test(
        "What the recipe asks for and the page hasn't is an error that names the path, never an empty list",
        arguments: [
            (
                ".photos[]", "{\"errors\": 1, \"message\": \"no key\"}",
                "items: .photos isn't there, only errors, message"
            ),
            (".a.b[]", "{\"a\": {\"c\": 1}}", "items: .a.b isn't there, only c"),
            (".a.b[]", "{\"a\": null}", "items: .a is null, and has no b"),
            (".a[]", "{\"a\": \"x\"}", "items: .a is the text \"x\", and has no elements"),
            (".[\"a\"][]", "{}", "items: .a isn't there, nor is anything else"),
            (
                "(.a | .[])", "{}",
                "items: Cannot iterate over null (null); write []? where there may be nothing"
            ),
        ]
    )
    func missing(_ items: String, _ page: String, _ message: String) throws {
        let failure = try #require(try Reading(.json(items), page).failure)
        #expect(failure.code == "unexpected_shape")
        #expect(failure.message == message)
        #expect(failure.excerpt == page)
    }

    @Test("An empty list is an empty page")
    func empty() throws {
        let read = try Reading(.json(".a"), "{\"a\": []}")
        #expect(read.page?.listed == 0)
        #expect(read.items.isEmpty)
    }

    @Test("One array counts as its elements, and so does a stream of items")
    func arrays() throws {
        let page = "{\"a\": [{\"u\": \"1\"}, {\"u\": \"2\"}]}"
        #expect(try Reading(.json(".a"), page).urls == ["1", "2"])
        #expect(try Reading(.json(".a[]"), page).urls == ["1", "2"])
        #expect(try Reading(.json(".a[], .a[0]"), page).urls == ["1", "2", "1"])
    }

    @Test("A bad item costs itself alone, and is named with its field")
    func bad() throws {
        let program = ListerProgram.json {
            $0.key = ".id"
            $0.priority = ".p"
            $0.meta = ".m"
        }
        let page = """
            [{"u": "1", "id": 1}, {"id": 2}, {"u": 3, "id": 3}, {"u": "4"}, {"u": "5", "id": 5, "p": 101},
             {"u": "6", "id": 6, "m": [1]}, {"u": "", "id": 7}, 8, {"u": "9", "id": [9]}]
            """
        let read = try Reading(program, page)
        #expect(read.urls == ["1", "3"])
        #expect((read.page?.listed, read.page?.bad) == (9, 7))
        let messages = read.page?.badItems.map { "\($0.number) \($0.message)" } ?? []
        #expect(messages[0] == "2 job.url: .u isn't there, only id")
        #expect(messages[1] == "4 job.key: .id isn't there, only u")
        #expect(
            messages[2]
                == "5 job.priority: this should be a whole number from -100 to 100, but is the number 101"
        )
        #expect(messages[3].hasPrefix("6 job.meta: this should be an object"))
        #expect(messages[4] == "7 job.url: .u should be a text, but is empty")
        #expect(messages[5] == "8 job.key: . is the number 8, and has no id")
    }

    @Test("A page whose items are all bad is another shape; of thousands, twenty are named")
    func allBad() throws {
        #expect(try Reading(.json(), "[{}, {}]").failure?.code == "unexpected_shape")
        let many = "[{\"u\": \"1\"}" + String(repeating: ", {}", count: 1000) + "]"
        let page = try #require(try Reading(.json(), many).page)
        #expect((page.bad, page.badItems.count) == (1000, 20))
    }

    @Test("What is kept with an item is at most 4 KiB")
    func longMeta() throws {
        let page =
            "[{\"u\": \"1\"}, {\"u\": \"2\", \"m\": {\"a\": \"\(String(repeating: "x", count: 5000))\"}}]"
        let read = try Reading(.json { $0.meta = ".m" }, page)
        #expect(read.page?.bad == 1)
        #expect(read.urls == ["1"])
    }

    @Test(
        "next is an end, a URL or parameters",
        arguments: [
            (".next", "{\"a\": []}", .end), (".next", "{\"a\": [], \"next\": \"?p=2\"}", .url("?p=2")),
            (".next", "{\"a\": [], \"next\": false}", .end), (".next", "{\"a\": [], \"next\": \"\"}", .end),
            (
                "{page: ($page + 1), n: $count}", "{\"a\": [1]}",
                .query([.init(name: "n", value: "1"), .init(name: "page", value: "2")])
            ),
            (
                ".continue", "{\"a\": [], \"continue\": {\"gap\": \"x|y\", \"continue\": \"\"}}",
                .query([.init(name: "continue", value: ""), .init(name: "gap", value: "x|y")])
            ),
            ("{page: null}", "{\"a\": []}", .end),
            ("link", "{\"a\": []}", .url("https://h/2")), ("$headers[\"x-next\"]", "{\"a\": []}", .url("/3")),
            ("empty", "{\"a\": []}", .end),
        ] as [(String, String, ListedPage.Next)]
    )
    func next(_ expression: String, _ page: String, _ next: ListedPage.Next) throws {
        let read = try Reading(.json(".a[]", url: "\"u\"") { $0.next = expression }, page) {
            $0.links = ["next": "https://h/2"]
            $0.headers = ["x-next": "/3"]
        }
        #expect(read.page?.next == next)
    }

    @Test("Without next there is no word of a next page")
    func noNext() throws { #expect(try Reading(.json(), "[]").page?.next == nil) }

    @Test(
        "more takes 0 and 1, and nothing that says nothing",
        arguments: [
            ("1", true), ("0", false), ("true", true), ("false", false), ("null", nil), ("\"x\"", nil),
            ("2", nil),
        ]
            as [(String, Bool?)]
    )
    func more(_ value: String, _ more: Bool?) throws {
        let read = try Reading(.json(".a") { $0.more = ".more" }, "{\"a\": [], \"more\": \(value)}")
        #expect(read.page?.more == more)
        #expect(more != nil || read.failure?.message.hasPrefix("more: this should be true or false") == true)
    }

    @Test(
        "total is a number, or unknown",
        arguments: [("7", 7), ("null", nil), ("\"12\"", 12), ("0", 0), ("-1", -1), ("\"many\"", -1)]
            as [(String, Int?)]
    )
    func total(_ value: String, _ total: Int?) throws {
        let read = try Reading(.json(".a") { $0.total = ".total" }, "{\"a\": [], \"total\": \(value)}")
        if total == -1 {
            #expect(read.failure?.message.hasPrefix("total: this should be a number") == true)
        } else {
            #expect(read.page?.total == total)
        }
    }

    @Test("A list of slices has keys, what has changed, and variables")
    func manifest() throws {
        let program = ListerProgram.of("json") {
            $0.isManifest = true
            $0.items = ".sols[]"
            $0.key = ".sol"
            $0.changed = ".total"
            $0.variables = ["sol": ".sol", "camera": ".cameras[0]"]
        }
        let read = try Reading(program, "{\"sols\": [{\"sol\": 7, \"total\": 3, \"cameras\": [\"A\"]}]}")
        #expect(read.items.first?.key == "7")
        #expect(read.items.first?.changed == "3")
        #expect(read.items.first?.variables == ["sol": "7", "camera": "A"])
    }

    @Test("A list of slices says where its next page is, and its mistakes are told by its own fields")
    func pagedManifest() throws {
        var program = ListerProgram.of("json") {
            ($0.isManifest, $0.items, $0.key, $0.next) = (true, ".l[]", ".id", "{page: ($page + 1)}")
        }
        let read = try Reading(program, #"{"l": [{"id": 1}, {"id": 2}]}"#)
        #expect(read.page?.next == .query([.init(name: "page", value: "2")]))
        program.isNested = true
        program.next = ".l[0].next"
        let nested = try Reading(program, #"{"l": [{"id": 1}, {"no": 2}]}"#)
        #expect(nested.page?.next == .end && nested.items.map(\.key) == ["1"])
        #expect(nested.page?.badItems.first?.message.hasPrefix("slices.slices.key: ") == true)
        program.next = "7"
        let wrong = try Reading(program, #"{"l": [{"id": 1}]}"#)
        #expect(wrong.failure?.message.hasPrefix("slices.slices.next: this should be null, a URL") == true)
        program.next = "{page: [1]}"
        let deep = try Reading(program, #"{"l": [{"id": 1}]}"#)
        #expect(deep.failure?.message.hasPrefix("slices.slices.next: page should be a text") == true)
        program.next = "."
        program.items = ".nothing[]"
        #expect(try Reading(program, "{}").failure?.message.hasPrefix("slices.slices.each: .nothing") == true)
    }

    @Test(
        "An expression that can't be compiled is named by its field, in jq's words",
        arguments: [
            ("items", ".photos["), ("job.url", ".a | nothing_known"), ("next", "$nobody"), ("select", ")"),
            ("job.meta", "{a: }"), ("job.key", ".a) | (.b"), ("more", ".a # comment"),
        ]
    )
    func unusable(_ field: String, _ expression: String) {
        var program = ListerProgram.json()
        switch field {
        case "items": program.items = expression
        case "job.url": program.url = expression
        case "next": program.next = expression
        case "select": program.select = expression
        case "job.meta": program.meta = expression
        case "job.key": program.key = expression
        default: program.more = expression
        }
        do throws(UnusableProgram) {
            _ = try PageProgram(program)
            // A comment is no mistake.
            #expect(field == "more")
        } catch {
            #expect(error.problems.map(\.field) == [field])
            #expect(error.problems.allSatisfy { !$0.message.isEmpty })
        }
    }

    @Test("IIIF manifests of both versions")
    func iiif() throws {
        let three = "{\"items\": [{\"items\": [{\"items\": [{\"body\": {\"id\": \"https://i/3.jpg\"}}]}]}]}"
        #expect(
            try Reading(.json(".items[].items[].items[].body", url: ".id"), three).urls == ["https://i/3.jpg"]
        )
        let two =
            "{\"sequences\": [{\"canvases\": [{\"images\": [{\"resource\": {\"@id\": \"https://i/2.jpg\"}}]}]}]}"
        let program = ListerProgram.json(".sequences[].canvases[].images[].resource", url: ".[\"@id\"]")
        #expect(try Reading(program, two).urls == ["https://i/2.jpg"])
    }

    @Test("A folder as nginx lists it in JSON")
    func autoindex() throws {
        let page = """
            [{"name": "sub", "type": "directory"}, {"name": "a b#.jpg", "type": "file", "size": 5}]
            """
        #expect(try Reading(.of("autoindex"), page).urls == ["a%20b%23.jpg"])
        #expect(try Reading(.of("autoindex"), "<html>").failure?.code == "unexpected_type")
    }
}
