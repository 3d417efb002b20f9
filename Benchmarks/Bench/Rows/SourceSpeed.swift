import ControlAPI
import Foundation
import Glibc

/// Measures the speed at which sources are read: a list in pages, large pages of HTML beside JSON, and two lists of very many rows.
struct SourceSpeed: Measure {
    static let name = "sources"
    /// The number of items of a page.
    private static let pageSize = 250
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let pages = try measurePages(workshop)
        let wide = try measureLargePages(workshop)
        let rows = try measureRows(workshop)
        let lines = try measureLines(workshop)
        let listed = "\(plan.listed) items in pages of \(Self.pageSize)"
        // 100,000 items a minute.
        let limit = Double(plan.listed) / 100_000 * 60
        return [
            Row("\(listed): read and queued", unit: "s", values: pages.seconds, limit: limit, aim: limit / 4),
            Row(
                "\(Self.largePages) pages of \(Self.images) images as HTML ÷ as JSON: read and queued",
                unit: "×",
                values: wide,
                limit: 2,
                aim: nil
            ),
            Row(
                "\(plan.rows) rows of CSV: read and queued",
                unit: "s",
                values: rows.seconds,
                limit: 60,
                aim: 30
            ),
            Row(
                "\(plan.rows) JSON Lines: read and queued",
                unit: "s",
                values: lines,
                limit: 60,
                aim: 30
            ),
            Row(
                "the CSV: memory of the daemon, half way",
                unit: "MB",
                values: rows.half,
                limit: nil,
                aim: nil
            ),
            Row(
                "the same: memory of the daemon, at the end",
                unit: "MB",
                values: rows.memory,
                limit: 250,
                aim: nil
            ),
            // The walk itself keeps nothing of a row. A queued job takes the queue's words, of which there may
            // be 150 MB for a million.
            Row(
                "the same: what a row more took of it, from half way to the end",
                unit: "B",
                values: zip(rows.half, rows.memory).map { half, end in
                    max(0, end - half) * 1_000_000 / Double(max(1, plan.rows - plan.rows / 2))
                },
                limit: 150,
                aim: nil
            ),
        ]
    }

    private func measurePages(_ workshop: Workshop) throws -> (seconds: [Double], memory: [Double]) {
        let count = max(1, plan.listed / Self.pageSize)
        let names = (1...count).map { "list\($0).json" }
        defer { workshop.server.remove(names) }
        for (index, name) in names.enumerated() {
            let items = (0..<Self.pageSize).map { number in
                let id = index * Self.pageSize + number
                return "{\"id\":\(id),\"src\":\"/crawling/\(id).jpg\",\"camera\":{\"name\":\"FHAZ\"}}"
            }
            let next = index + 1 < count ? "\"\(names[index + 1])\"" : "null"
            let text = "{\"items\":[\(items.joined(separator: ","))],\"next\":\(next)}"
            try Data(text.utf8).write(to: URL(filePath: workshop.server.root + "/" + name))
        }
        let recipe = """
            {"name": "pages", "url": "\(workshop.server.url(names[0]))", "items": ".items[]", "next": ".next",
             "job": {"url": ".src", "key": ".id", "meta": {"camera": ".camera.name"}},
             "every": "never", "ahead": 10000000, "limits": {"pages": 100000, "items": 10000000}}
            """
        let figures = try measure(recipe, "pages", items: count * Self.pageSize, workshop)
        return (figures.seconds, figures.memory)
    }

    /// The images of a large page, and how many of those there are.
    private static let images = 1000
    private static let largePages = 20

    /// Measures pages with the same images as HTML and as JSON; returns how much longer the first take.
    private func measureLargePages(_ workshop: Workshop) throws -> [Double] {
        func name(_ kind: String, _ index: Int) -> String { "images\(index).\(kind)" }
        let kinds = ["html", "json"]
        defer {
            workshop.server.remove(kinds.flatMap { kind in (0..<Self.largePages).map { name(kind, $0) } })
        }
        for index in 0..<Self.largePages {
            let images = (0..<Self.images).map { number -> (url: String, alt: String) in
                let id = index * Self.images + number
                return ("/crawling/\(id).jpg", "Number \(id) of all &amp; more")
            }
            let isLast = index + 1 == Self.largePages
            let tags = images.map {
                "<li><a href=\"\($0.url)\"><img src=\"/small\($0.url)\" srcset=\"\($0.url) 1600w\" alt=\"\($0.alt)\"></a>\n"
            }
            let link = isLast ? "" : "<a rel=next href=\"\(name("html", index + 1))\">next</a>"
            let html = "<!DOCTYPE html><html><body><ul>\(tags.joined())</ul>\(link)</body></html>"
            let items = images.map {
                "{\"url\":\"\($0.url)\",\"alt\":\"\($0.alt)\",\"width\":null,\"height\":null}"
            }
            let next = isLast ? "null" : "\"\(name("json", index + 1))\""
            let json = "{\"images\":[\(items.joined(separator: ","))],\"next\":\(next)}"
            for (kind, text) in zip(kinds, [html, json]) {
                try Data(text.utf8).write(to: URL(filePath: workshop.server.root + "/" + name(kind, index)))
            }
        }
        let seconds = try kinds.map { kind in
            let recipe = """
                {"name": "\(kind)", "kind": "\(kind)", "url": "\(workshop.server.url(name(kind, 0)))",
                 "items": ".images[]", "next": ".next", "job": {"url": ".url", "meta": {"alt": ".alt"}},
                 "every": "never", "ahead": 10000000, "limits": {"pages": 100000, "items": 10000000}}
                """
            return try measure(recipe, kind, items: Self.largePages * Self.images, workshop).seconds
        }
        return zip(seconds[0], seconds[1]).map { $0 / $1 }
    }

    private func measureRows(
        _ workshop: Workshop
    ) throws -> (seconds: [Double], half: [Double], memory: [Double]) {
        var text = "title,url\n"
        for number in 0..<plan.rows {
            text += "Number \(number),\(workshop.server.url("crawling/\(number).jpg"))\n"
        }
        try Data(text.utf8).write(to: URL(filePath: workshop.server.root + "/list.csv"))
        defer { workshop.server.remove(["list.csv"]) }
        let recipe = """
            {"name": "rows", "kind": "csv", "url": "\(workshop.server.url("list.csv"))",
             "job": {"url": ".url", "meta": {"title": ".title"}}, "every": "never", "ahead": 10000000}
            """
        return try measure(recipe, "rows", items: plan.rows, workshop)
    }

    private func measureLines(_ workshop: Workshop) throws -> [Double] {
        var text = ""
        for number in 0..<plan.rows {
            let url = workshop.server.url("crawling/\(number).jpg")
            text += "{\"title\":\"Number \(number)\",\"url\":\"\(url)\"}\n"
        }
        try Data(text.utf8).write(to: URL(filePath: workshop.server.root + "/list.jsonl"))
        defer { workshop.server.remove(["list.jsonl"]) }
        let recipe = """
            {"name": "lines", "kind": "jsonl", "url": "\(workshop.server.url("list.jsonl"))",
             "job": {"url": ".url", "meta": {"title": ".title"}}, "every": "never", "ahead": 10000000}
            """
        return try measure(recipe, "lines", items: plan.rows, workshop).seconds
    }

    /// Has a source walked, with one transfer that hardly moves, so that its jobs stay queued.
    private func measure(
        _ recipe: String,
        _ name: String,
        items: Int,
        _ workshop: Workshop
    ) throws -> (seconds: [Double], half: [Double], memory: [Double]) {
        var (seconds, half, memory): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<plan.runs {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 1)
                defer { daemon.kill(SIGKILL) }
                let connection = try daemon.connection()
                let begun = Clock.seconds()
                try connection.post("/v1/sources", recipe)
                var atHalf: Double?
                while true {
                    let body = try connection.get("/v1/sources/\(name)")
                    let source = try JSONDecoder().decode(SourceJSON.self, from: body)
                    if atHalf == nil, source.items >= items / 2 { atHalf = try daemon.memory() }
                    if source.state.code == .ended {
                        guard source.new == items else {
                            throw BenchError.failed("\(source.new) of \(items) items became jobs")
                        }
                        break
                    }
                    if let error = source.lastError { throw BenchError.failed(error.message) }
                    // Asking takes time of the daemon's, too.
                    usleep(250_000)
                }
                seconds.append(Clock.seconds() - begun)
                memory.append(try daemon.memory())
                half.append(try atHalf ?? daemon.memory())
            }
        }
        return (seconds, half, memory)
    }
}
