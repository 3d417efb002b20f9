import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Pages that came with status 200 and aren't what they should be.
struct OtherPageTests {
    private static let loginPage =
        "<!DOCTYPE html>\n<html>\n<head><title>Log in</title></head>\n<body><a href=\"/login\">Log in</a></body></html>\n"
    private static let others = [
        loginPage, "\u{FEFF} \n\r\n \t" + loginPage, loginPage.replacing("\n", with: ""),
        "<?xml version=\"1.0\"?><error>quota</error>", "<html><p>no</p></html>",
    ]

    @Test(
        "HTML or XML in place of a list of any kind is unexpected_type, with its beginning",
        arguments: ["json", "jsonl", "csv", "tsv", "lines", "autoindex", "feed", "sitemap", "s3"],
        OtherPageTests.others
    )
    func markup(_ kind: String, _ page: String) throws {
        let isXML = ["feed", "sitemap", "s3"].contains(kind)
        let read = try Reading(
            .of(kind) {
                if kind == "json" { ($0.items, $0.url) = (".[]", ".u") }
            },
            page
        )
        let failure = try #require(read.failure, "\(read.items)")
        #expect(failure.code == "unexpected_type" || isXML && failure.code == "unexpected_shape")
        #expect((isXML || failure.excerpt?.contains("<") == true) && read.items.isEmpty)
        let isPage = page.contains("<html>")
        let words =
            isPage ? "HTML; check the source's url, or set kind: html" : "HTML or XML; check the source's url"
        #expect(isXML || failure.message.contains("but is \(words)"))
    }

    @Test(
        "JSON in place of a table or a list of URLs is unexpected_type",
        arguments: ["csv", "tsv", "lines"],
        [
            #"{"error": "quota"}"#, #" [{"id": 1, "src": "/1.jpg"}, {"id": 2}]"#, "{\n  \"error\": 1\n}\n",
            "[\n{\"id\": 1}\n]", #"["a", "b"]"#, "{}", "[]", "{\"error\": {\n\"message\": \"no\"}}",
            "[{\"id\": 1,\n\"src\": \"/1\"}]",
        ]
    )
    func json(_ kind: String, _ page: String) throws {
        let read = try Reading(.of(kind), page)
        let failure = try #require(read.failure, "\(read.items)")
        #expect(failure.code == "unexpected_type" && failure.excerpt?.contains(page.prefix(1)) == true)
        #expect(failure.message.hasSuffix("but is JSON; check the source's url and kind"))
    }

    @Test("Honest lists with brackets and tags are read")
    func honest() throws {
        func rows(_ kind: String, _ page: String, header: Bool = true, url: String? = nil) throws -> [String]
        {
            let program = ListerProgram.of(kind) {
                $0.hasHeader = header
                $0.url = url
            }
            return try Reading(program, page).urls
        }
        #expect(try rows("csv", "[Title],url\n[Untitled],http://a/1\n") == ["http://a/1"])
        #expect(try rows("csv", "[Untitled],http://a/1\n", header: false, url: ".[1]") == ["http://a/1"])
        #expect(try rows("csv", "<i>Mona</i>,http://a/1\n", header: false, url: ".[1]") == ["http://a/1"])
        #expect(try rows("csv", "[1],http://a/1\n", header: false, url: ".[1]") == ["http://a/1"])
        #expect(try rows("csv", "[1] b,http://a/1\n", header: false, url: ".[1]") == ["http://a/1"])
        #expect(try rows("tsv", "{\"a\": 1}\thttp://a/1\n", header: false, url: ".[1]") == ["http://a/1"])
        #expect(try rows("lines", "# {a list}\nhttp://a/1\n[x].jpg\n") == ["http://a/1", "[x].jpg"])
        #expect(try rows("jsonl", "[\"http://a/1\"]\n", url: ".[0]") == ["http://a/1"])
        #expect(try rows("lines", "").isEmpty)
        #expect(try rows("csv", "url\n").isEmpty)
    }

    @Test("A line that begins with < never is a URL")
    func tags() throws {
        let read = try Reading(.of("lines"), "http://a/1\n<p>more</p>\n")
        #expect(read.urls == ["http://a/1"])
        #expect(
            read.page?.badItems.map(\.message) == [
                "job.url: this should be a URL, but is the text \"<p>more</p>\""
            ]
        )
    }

    @Test("A column that is asked for and isn't there is named, even without a row")
    func columns() throws {
        func message(_ page: String, _ change: (inout ListerProgram) -> Void = { _ in }) throws -> String? {
            let failure = try Reading(.of("csv", change), page).failure
            #expect(failure == nil || failure?.code == "unexpected_shape")
            return failure?.message
        }
        #expect(try message("title,link\n") == "job.url: there is no column url, only title, link")
        #expect(
            try message("title,link\nx,http://a/1\n") { $0.url = ".src" }
                == "job.url: there is no column src, only title, link"
        )
        #expect(
            try message("url\n") { $0.key = ".[\"the id\"]" }
                == "job.key: there is no column the id, only url"
        )
        #expect(
            try message("url,kind\n") { $0.select = ".type == \"image\"" }
                == "select: there is no column type, only url, kind"
        )
        let quoted = try Reading(.of("tsv"), "\"url\"\t\"name\"\n\"http://a/1\"\t\"x\"\n").failure?.message
        #expect(quoted?.hasSuffix("; set quote: double if fields are in quotes") == true)
        #expect(
            try message("http://a/1,x\n")?.hasSuffix(
                "; set header: false if the first row doesn't name the columns"
            ) == true
        )
        // These may well do without.
        #expect(try message("URL\n") == nil)
        #expect(try message("link\n") { $0.url = ".src // .link" } == nil)
        #expect(try message("link\n") { ($0.items, $0.url) = ("{u: .link}", ".u") } == nil)
        #expect(try message("") == nil)
    }
}
