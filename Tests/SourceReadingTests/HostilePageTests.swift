import Foundation
import SourceCore
import TestSupport
import TestTraits
import Testing

/// Tests of what strangers send, to the real program with its sandbox.
@Suite(.ownThread) struct HostilePageTests {
    private static let recipe = "{url: 'https://h/', items: '.[]', job: {url: .u}}"

    /// Runs a recipe by hand on a page, and expects an error with this code.
    private func refuses(
        _ page: [UInt8],
        _ code: String,
        recipe: String = recipe,
        _ more: [String] = []
    ) throws {
        let run = try ListerRun.page(recipe, page, more)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors.contains("facefetch-lister: \(code): "), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("Ten thousand arrays within each other end with a clear error")
    func deep() throws {
        try refuses(
            Array((String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)).utf8),
            "unexpected_shape"
        )
    }

    @Test("A page of 100 MB is refused by its size, and so is one that becomes so large")
    func large() throws {
        let page = [UInt8](repeating: 0x20, count: 100 << 20)
        try refuses(Array("[".utf8) + page, "too_large")
        try refuses(try Compressed.gzip(Array("[".utf8) + page), "too_large")
    }

    @Test("A program that never ends is ended, and one that takes all memory, too")
    func endless() throws {
        let loop = "{url: 'https://h/', items: '.[] | until(false; .)', job: {url: .u}}"
        try refuses(Array("[1]".utf8), "reader_timed_out", recipe: loop, ["--time-limit", "1"])
        let memory =
            "{url: 'https://h/', items: '[range(1000000000) | tostring]', job: {url: .u}, limits: {page_bytes: 1 KiB}}"
        // A library that finds no memory crashes in this one, which is no fault of the reader's.
        try refuses(Array("[]".utf8), "too_much_memory", recipe: memory, ["--time-limit", "300"])
    }

    @Test("An expression that jq compiles for very long ends the attempt, and nothing is left")
    func compiling() throws {
        let long = Array(repeating: ".a", count: 12_000).joined(separator: "+")
        let run = try ListerRun.page(
            "{url: 'https://h/', items: '\(long)', job: {url: .u}}",
            Array("[]".utf8),
            ["--time-limit", "1"]
        )
        #expect(run.status == 1)
        #expect(
            run.errors.contains("expressions take longer than 5.0 seconds to compile; make them shorter"),
            "\(run.errors)"
        )
    }

    @Test(
        "What is said of a page stays in its line and on its terminal",
        arguments: [
            (#"[{"u":"\u001b[2J\u009b2J\u202eevil"}]"#, ".[]", ".u | error"),
            (#"[{"a\u001b[2J\u009b2J\u0085b":1}]"#, ".[].photos[]", ".u"), ("\u{9B}2J\u{202E}", ".[]", ".u"),
        ]
    )
    func plain(page: String, items: String, url: String) throws {
        let run = try ListerRun.page(
            "{url: 'https://h/', items: '\(items)', job: {url: '\(url)'}}",
            Array(page.utf8)
        )
        #expect(run.status == 1)
        #expect(run.errors.contains("2J"))
        let isPlain = run.errors.unicodeScalars.allSatisfy {
            $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory)
        }
        #expect(isPlain, "\(run.errors.debugDescription)")
    }

    @Test("A recipe sees no environment, no file and no other input")
    func nothing() throws {
        let run = try ListerRun.page(
            "{url: 'https://h/', items: '.[]', job: {url: '\"\\($ENV | length)-\\(env | length)\"'}}",
            Array("[1]".utf8)
        )
        #expect(run.lines.first?.contains("\"key\":\"https://h/0-0\"") == true, "\(run.errors)")
        for expression in ["input", "\"/etc/passwd\" | modulemeta"] {
            let run = try ListerRun.page(
                "{url: 'https://h/', items: '.[]', job: {url: '\(expression)'}}",
                Array("[1]".utf8)
            )
            #expect(run.status == 1, "\(expression): \(run.lines)")
            #expect(!run.errors.contains("root:"))
        }
        for (expression, status) in [
            ("input", 1), ("[inputs]", 1), (#""a" | debug"#, 0), (#""a" | input_filename | tostring"#, 0),
        ] {
            let run = try ListerRun.page(
                "{url: 'https://h/', items: '.[]', job: {url: '\(expression)'}}",
                Array("[1]".utf8)
            )
            #expect(run.status == status, "\(expression): \(run.lines)")
            // jq's own words, and not how the reader ended.
            #expect(!run.errors.contains("reader_crashed"), "\(expression): \(run.errors)")
        }
        let module = try ListerRun.page(
            "{url: 'https://h/', items: 'import \"a\" as a; .[]', job: {url: .u}}",
            Array("[1]".utf8)
        )
        #expect(module.status == 2)
    }

    @Test("A reader that is lost costs its own page: the others are read by the same process")
    func oneLost() throws {
        var program = ListerProgram(kind: "json")
        program.items = "if .bomb then reduce range(60) as $i (\"x\"; . + .) else .items end"
        program.url = ".u"
        let good = Array("{\"items\": [{\"u\": \"/1\"}]}".utf8)
        // Not by its time, in which the others have to be read as well.
        let frames = try ListerRun.serve(program, [good, Array("{\"bomb\": true}".utf8), good], limit: 300)
        #expect(frames.map(\.kind) == [.greeting, .items, .page, .failure, .items, .page])
        #expect(frames.map(\.id) == [0, 1, 1, 2, 3, 3])
        #expect(try frames[3].decode(ListerFailure.self).code == "too_much_memory")
        #expect(try frames[1].decode([ListedItem].self).map(\.url) == ["/1"])
        let greeting = try frames[0].decode(ListerGreeting.self)
        #expect(greeting.problems.isEmpty)
        #expect(greeting.version == ListerGreeting.current)
    }

    @Test("A program that can't be compiled is told in the greeting, and the process ends")
    func unusable() throws {
        var program = ListerProgram(kind: "json")
        program.items = ".["
        program.url = ".u"
        let frames = try ListerRun.serve(program, [Array("[]".utf8)])
        #expect(frames.map(\.kind) == [.greeting])
        #expect(try frames[0].decode(ListerGreeting.self).problems.map(\.field) == ["items"])
    }

    @Test("A page that isn't where the process may read is none")
    func outside() throws {
        let frames: [ListerFrame]
        var program = ListerProgram(kind: "lines")
        program.url = "."
        let request = ListerRequest(id: 7, path: "/etc/passwd", url: "https://h/")
        let input = try ListerFrame(.program, program).bytes + ListerFrame(.request, id: 7, request).bytes
        let folder = try PageFolder()
        let run = try ListerRun(["--serve", "--pages", folder.path], input: input)
        var reader = ListerFrameReader()
        reader.append(run.output)
        frames = try [reader.next(), reader.next()].compactMap { $0 }
        #expect(frames.last?.kind == .failure)
        #expect(frames.last?.id == 7)
    }

    @Test(
        "Bytes at random, of every kind, are an error or a page, never a crash",
        arguments: ["json", "csv", "feed", "sitemap", "s3", "lines", "jsonl", "autoindex", "html"]
    )
    func random(_ kind: String) throws {
        var generator = SystemRandomNumberGenerator()
        var program = ListerProgram(kind: kind)
        if kind == "json" { program.items = ".[]"; program.url = ".u" }
        let starts = [
            "[{\"u\":", "<rss><channel><item>", "<urlset><url>", "<ListBucketResult><Contents>", "url,a\n\"",
            "", "\u{1F}\u{8B}", "<html><img srcset=\"",
        ]
        let pages = (0..<30).map { index in
            Array(starts[index % starts.count].utf8)
                + (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        let frames = try ListerRun.serve(program, pages)
        let endings = frames.filter { $0.kind == .page || $0.kind == .failure }
        #expect(endings.map(\.id) == (1...30).map(UInt64.init))
        for frame in endings where frame.kind == .failure {
            let failure = try frame.decode(ListerFailure.self)
            #expect(!failure.code.hasPrefix("reader_"), "\(failure)")
        }
    }
}
