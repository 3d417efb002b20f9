import Testing

@testable import SourceCore

@Suite struct RecipeReadingTests {
    /// The smallest recipe, with changes.
    static func recipe(_ changes: (String, RecipeValue)...) -> RecipeValue {
        var fields: [(String, RecipeValue)] = [
            ("name", "mars"), ("url", "https://mars.example/photos"), ("items", ".photos[]"),
            ("job", ["url": ".img_src"]),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            if value != .null { fields.append((name, value)) }
        }
        return .map(fields.map { .init($0.0, $0.1) })
    }

    static func problems(_ value: RecipeValue) -> [String] {
        do throws(RecipeRefusal) {
            _ = try Recipe(reading: value)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("A recipe with every field is read as it is written")
    func everything() throws {
        let recipe = try Recipe(
            reading: Self.recipe(
                ("url", "{base}/rovers/{rover}/photos?sol={sol}&api_key={key}"),
                (
                    "vars",
                    [
                        "base": "https://mirror.example/api/v1",
                        "rover": ["choices": ["curiosity", "spirit"]],
                        "key": ["secret": "nasa", "default": "DEMO_KEY"],
                    ]
                ),
                ("headers", ["User-Key": ["secret": "zomato"], "X-Rover": "{rover} 1"]),
                (
                    "slices",
                    [
                        "url": "{base}/manifests/{rover}?api_key={key}", "each": ".photo_manifest.photos[]",
                        "key": ".sol", "changed": ".total_photos", "vars": ["sol": ".sol"],
                        "order": "reversed",
                    ]
                ),
                ("select", ".camera.name != \"MAST\""),
                ("next", "{page: ($page + 1)}"),
                ("more", ".has_more"),
                ("total", ".total"),
                ("order", "newest-first"),
                ("mode", "lazy"),
                ("ahead", 20),
                ("every", "1h30m"),
                ("full_every", "never"),
                ("limits", ["pages": 5, "items": 50, "page_bytes": "1 MiB", "known_pages": 1]),
                ("pace", "30/h"),
                ("insecure", "upgrade"),
                ("priority", -5),
                ("weight", 12),
                ("refresh", "if-changed"),
                ("keep", "evictable"),
                (
                    "job",
                    [
                        "url": ".img_src", "key": ".id", "name": "\"\\(.id).jpg\"", "sha256": ".sha",
                        "priority": 1, "meta": ["camera": ".camera.name", "sol": ".sol"],
                    ]
                )
            )
        )
        #expect(recipe.name == "mars")
        #expect(recipe.kind == .json)
        #expect(recipe.url.names == ["base", "rover", "sol", "key"])
        #expect(recipe.variables[1].value == .choice(["curiosity", "spirit"], chosen: "curiosity"))
        #expect(recipe.secrets == ["nasa", "zomato"])
        #expect(recipe.slices?.variables == [SliceVariable(name: "sol", expression: ".sol")])
        #expect(recipe.slices?.order == .reversed)
        #expect(recipe.job.meta == "{\"camera\": (.camera.name), \"sol\": (.sol)}")
        #expect(recipe.job.priority == "1")
        #expect(recipe.next == .expression("{page: ($page + 1)}"))
        #expect(recipe.every == 5400)
        #expect(recipe.fullEvery == nil)
        #expect(recipe.limits.pageBytes == 1 << 20)
        #expect(recipe.pace == SourcePace("30/h"))
        #expect((recipe.mode, recipe.ahead, recipe.priority) == (.lazy, 20, -5))
        #expect((recipe.refresh, recipe.keep, recipe.weight) == (.ifChanged, .evictable, 12))
    }

    @Test("Lists of slices have next pages, and slices have lists of their own")
    func nested() throws {
        let inner: RecipeValue = [
            "url": "{manifest}", "each": ".items[]", "key": ".id", "vars": ["canvas": ".id"], "next": ".next",
        ]
        let outer: RecipeValue = [
            "url": "https://h/collection", "each": ".items[]", "next": "link", "vars": ["manifest": ".id"],
            "slices": inner,
        ]
        let recipe = try Recipe(reading: Self.recipe(("url", "{canvas}/{manifest}"), ("slices", outer)))
        let slices = try #require(recipe.slices)
        #expect(slices.next == .link && slices.slices?.next == .expression(".next"))
        #expect(slices.slices?.key == ".id" && slices.slices?.slices == nil)
        #expect(recipe.sliceVariables.map(\.name) == ["manifest", "canvas"])
    }

    @Test("What is left out has the defaults of the manual")
    func defaults() throws {
        let recipe = try Recipe(reading: Self.recipe())
        #expect((recipe.every, recipe.fullEvery) == (21_600, 604_800))
        #expect((recipe.ahead, recipe.mode, recipe.order) == (500, .follow, .unknown))
        #expect(recipe.queue == .daemon)
        #expect(try Recipe(reading: Self.recipe(("queue", "fleet"))).queue == .fleet)
        #expect(
            (recipe.limits.pages, recipe.limits.items, recipe.limits.pageBytes) == (1000, 100_000, 32 << 20)
        )
        #expect(recipe.isOnePage)
        let list = try Recipe(
            reading: ["name": "list", "kind": "csv", "url": "https://a.example/list.csv", "delimiter": ";"])
        #expect((list.every, list.limits.items, list.table.delimiter) == (nil, 10_000_000, 0x3B))
        let bucket = try Recipe(
            reading: [
                "name": "b", "url": "s3://bucket/a%20b/",
                "s3": ["credentials": ["secret": "aws", "profile": "me"]],
            ])
        #expect(bucket.kind == .s3)
        #expect(bucket.secrets == ["aws"])
    }

    @Test(
        "Each wrong field is one sentence that names it",
        arguments: [
            (recipe(("nmae", "x")), "nmae: there is no such field; did you mean name?"),
            (recipe(("frobnicate", "x")), "frobnicate: there is no such field"),
            (recipe(("name", .null)), "name: this is needed: a word by which the source is known"),
            (
                recipe(("name", "../etc")),
                "name: give a word of at most 63 letters, digits, dots, dashes and underscores that begins with a "
                    + "letter or a digit"
            ),
            (recipe(("url", .null)), "url: this is needed: the URL of the first page"),
            (recipe(("url", "mars.example")), "url: the URL must begin with http:// or https://"),
            (
                recipe(("url", "ftp://mars.example/")),
                "url: for kind json this is a URL with http: and https:, not ftp:"
            ),
            (
                recipe(("url", "file:///etc/passwd")),
                "url: for kind json this is a URL with http: and https:, not file:"
            ),
            (recipe(("url", "s3://b/")), "url: for kind json this is a URL with http: and https:, not s3:"),
            (
                recipe(("kind", "s3"), ("url", "s3://b/"), ("items", .null), ("job", .null)),
                "url: the name of a bucket has 3 to 255 letters, digits, dots, dashes and underscores; write "
                    + "it like s3://BUCKET/PREFIX"
            ),
            (
                recipe(("queue", "fleet"), ("refresh", "if-changed")),
                "refresh: other nodes have the documents with queue: fleet; leave this out"
            ),
            (
                recipe(("queue", "fleet"), ("keep", "evictable")),
                "keep: other nodes have the documents with queue: fleet; leave this out"
            ),
            (recipe(("namespaces", true)), "namespaces: only kind xml has this"),
            (
                recipe(("kind", "xml"), ("items", .null)),
                "items: kind xml needs this: a jq expression for the items"
            ),
            (
                recipe(("request", ["method": "PUT"])),
                "request.method: give GET or POST, not the text \"PUT\""
            ),
            (
                recipe(("request", ["method": "POST"])),
                "request.body: method POST needs this: a jq expression for the body"
            ),
            (
                recipe(("request", ["method": "GET", "body": "{}"])),
                "request.body: only method POST has this"
            ),
            (
                recipe(("kind", "csv"), ("items", .null), ("request", ["body": "{}"])),
                "request.method: kind csv is asked for with GET"
            ),
            (recipe(("kind", "rss")), "kind: there is no kind rss; what you mean may be feed"),
            (recipe(("kind", "ndjson")), "kind: there is no kind ndjson; what you mean may be jsonl"),
            (
                recipe(("kind", "csv"), ("delimiter", "\\t")),
                "delimiter: this is a backslash and a t; for a tab, write \"\\t\" in double quotes"
            ),
            (
                recipe(("encoding", "klingon")),
                "encoding: give an encoding such as utf-8, windows-1251 or shift_jis, not the text \"klingon\""
            ),
            (
                recipe(("url", "https://a.example/{")),
                "url: there is an unmatched brace; write %7B or %7D for the character"
            ),
            (
                recipe(("url", "https://a.example/{rovre}"), ("vars", ["rover": "x"])),
                "url: {rovre} is not a variable of this recipe; did you mean {rover}?"
            ),
            (
                recipe(("kind", "yaml")),
                "kind: give json, jsonl, csv, tsv, lines, feed, sitemap, s3, autoindex, xml or html, not the text \"yaml\""
            ),
            (recipe(("items", .null)), "items: kind json needs this: a jq expression for the items"),
            (
                recipe(("items", [])),
                "items: give a jq expression; one that begins with { or [ goes between single quotes"
            ),
            (recipe(("items", " ")), "items: this is empty"),
            (recipe(("job", .null)), "job.url: kind json needs this: a jq expression for the picture's URL"),
            (
                recipe(("job", ["url": ".u", "sha265": ".s"])),
                "job.sha265: there is no such field; did you mean sha256?"
            ),
            (recipe(("job", ".u")), "job: give a mapping, not the text \".u\""),
            (
                recipe(("job", ["url": ".u", "meta": ["a": []]])),
                "job.meta.a: give a jq expression; one that begins with { or [ goes between single quotes"
            ),
            (recipe(("more", ".m")), "more: more needs next, which says where the next page is"),
            (recipe(("ahead", 0)), "ahead: give a number from 1 to 10000000, not the number 0"),
            (recipe(("ahead", "many")), "ahead: give a number from 1 to 10000000, not the text \"many\""),
            (
                recipe(("every", "10s")),
                "every: give never, or a duration from 1 min to 3660 d, written like 90s, 5 min, 1h30m or 90d, not the text \"10s\""
            ),
            (
                recipe(("pace", "30")),
                "pace: give a number of requests per time, such as 30/h, not the text \"30\""
            ),
            (
                recipe(("pace", "0/h")),
                "pace: give a number of requests per time, such as 30/h, not the text \"0/h\""
            ),
            (recipe(("limits", ["page": 1])), "limits.page: there is no such field; did you mean pages?"),
            (
                recipe(("limits", ["page_bytes": "1 GiB"])),
                "limits.page_bytes: give a size from 1 KiB to 256 MiB, written like 500000, 32M, 256 MiB or 2 GB, not the text \"1 GiB\""
            ),
            (recipe(("priority", 101)), "priority: give a number from -100 to 100, not the number 101"),
            (recipe(("mode", "eager")), "mode: give follow or lazy, not the text \"eager\""),
            (recipe(("delimiter", ";")), "delimiter: only kinds csv and tsv have this"),
            (recipe(("s3", [:])), "url: for kind s3 this is a URL with s3:, not https:"),
            (
                recipe(("headers", ["Host": "a"])),
                "headers.Host: this field belongs to the connection, and can't be set here"
            ),
            (recipe(("headers", ["Range": "a"])), "headers.Range: this field is set by facefetch itself"),
            (
                recipe(("headers", ["X": "a\nb"])),
                "headers.X: give a text of one line, at most 8 KiB, or {secret: NAME}"
            ),
            (
                recipe(("headers", ["X": ["secret": "a/b"]])),
                "headers.X.secret: give the secret's name, one plain word of letters, digits, dots, dashes and underscores"
            ),
            (
                recipe(("vars", ["a-b": "1"])),
                "vars.a-b: a variable's name is letters, digits and underscores, and begins with a letter"
            ),
            (recipe(("vars", ["a": [:]])), "vars.a: give one of secret, range and choices"),
            (
                recipe(("vars", ["a": ["range": "1-1000000"]])),
                "vars.a.range: give two numbers with a dash between, such as 100-105, at most 100000 apart"
            ),
            (
                recipe(("vars", ["a": ["choices": ["x", "y"], "default": "z"]])),
                "vars.a.default: this is not a choice; give x or y"
            ),
            (
                recipe(("slices", ["each": ".x"])),
                "slices.url: this is needed: the page that lists the slices"
            ),
            (
                recipe(
                    ("slices", ["url": "https://h", "each": ".x", "slices": ["url": "https://h/{manifest}"]])
                ),
                "slices.slices.url: {manifest} is not a variable of this recipe"
            ),
            (
                recipe(
                    (
                        "slices",
                        ["url": "https://h", "each": ".x", "slices": ["url": "ftp://h", "each": "."]]
                    )
                ),
                "slices.slices.url: for kind json this is a URL with http: and https:, not ftp:"
            ),
            (
                recipe(
                    (
                        "slices",
                        [
                            "url": "https://h", "each": ".",
                            "slices": ["url": "https://h", "each": ".", "slices": [:]],
                        ]
                    )
                ),
                "slices.slices.slices: there is no such field"
            ),
        ] as [(RecipeValue, String)]
    )
    func wrong(_ value: RecipeValue, _ problem: String) {
        let problems = Self.problems(value)
        #expect(problems.contains(problem), "\(problems)")
    }

    @Test("All that is wrong is told at once, in one line each")
    func all() {
        let problems = Self.problems(["nam": "x", "kind": "s4", "ahead": -1])
        #expect(problems.count == 5)
        #expect(problems.allSatisfy { !$0.contains("\n") && !$0.hasSuffix(".") })
    }

    @Test("A field that stands there twice, and a recipe that is none, are refused")
    func shape() {
        let twice = RecipeValue.map([.init("name", "a"), .init("name", "b")])
        #expect(Self.problems(twice).contains("name: this field is given twice"))
        #expect(Self.problems([]) == ["a recipe is a mapping, not a list"])
        #expect(Self.problems("x") == ["a recipe is a mapping, not the text \"x\""])
    }

    @Test("Every field of the schema is one that reading knows, with its own words")
    func schema() {
        #expect(Set(RecipeSchema.fields.map(\.path)).count == RecipeSchema.fields.count)
        for field in RecipeSchema.fields where field.section.isEmpty && field.path != "name" {
            let before = Self.problems(Self.recipe((field.path, .null)))
            #expect(!before.contains { $0.hasPrefix("\(field.path): there is no such field") })
            #expect(field.meaning.hasSuffix("."))
        }
    }

    @Test(
        "Ranges are walked from end to end, with zeros as they are written",
        arguments: [
            ("100-102", ["100", "101", "102"]), ("3-1", ["3", "2", "1"]), ("08-10", ["08", "09", "10"]),
            ("7", ["7"]),
        ]
    )
    func ranges(_ text: String, _ values: [String]) throws {
        let recipe = try Recipe(reading: Self.recipe(("vars", ["n": ["range": .text(text)]])))
        #expect(recipe.variables.first?.slices == values)
    }
}
