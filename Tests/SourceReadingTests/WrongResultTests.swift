import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Pages that were once read wrongly without a word.
@Suite struct WrongResultTests {
    @Test("In tsv quotes are characters like any other, and in csv where the recipe says so")
    func quotes() throws {
        let rows = (1...2000).map { "http://a/\($0)\tsize \($0)\($0 == 700 || $0 == 1200 ? "\"" : "")\n" }
            .joined()
        let read = try Reading(.of("tsv") { $0.name = ".n" }, "url\tn\n" + rows)
        #expect(read.urls.count == 2000 && read.page?.bad == 0)
        #expect(read.items[699].name == "size 700\"")
        let quoted = ListerProgram.of("tsv") {
            $0.name = ".n"
            $0.quote = "double"
        }
        #expect(try Reading(quoted, "url\tn\nhttp://a/1\t\"x\ty\"\n").items.first?.name == "x\ty")
        let bare = ListerProgram.of("csv") {
            $0.name = ".n"
            $0.quote = "none"
        }
        let csv = try Reading(bare, "url,n\r\nhttp://a/1, 12\" disc \r\n\r\nhttp://a/2,x")
        #expect(csv.items.map(\.name) == ["12\" disc", "x"] && csv.items.map(\.line) == [2, 4])
        let wide = try Reading(bare, "url" + String(repeating: ",", count: 10_000) + "\n")
        #expect(wide.failure?.message.contains("fields") == true)
    }

    @Test("The first line of a table can give its delimiter, also to the pieces that follow")
    func separator() throws {
        for first in ["sep=;\r\n", "\"sep=;\"\n", "\u{FEFF}sep=;\n"] {
            var rows: ListerRequest.Rows? = .init(most: 1)
            var names: [String] = []
            while let asked = rows {
                let read = try Reading(
                    .of("csv") { $0.name = ".n" },
                    first + "url;n\nhttp://a/1;a,b\nhttp://a/2;c,d\n"
                ) {
                    $0.rows = asked
                }
                names += read.items.compactMap(\.name)
                if case .rows(let next)? = read.page?.next { rows = next } else { rows = nil }
            }
            #expect(names == ["a,b", "c,d"])
        }
        #expect(try Reading(.of("csv"), "sep=x,url\n1,http://a/1\n").urls == ["http://a/1"])
    }

    @Test("A column that is named twice is told")
    func doubles() throws {
        let read = try Reading(.of("csv") { $0.name = ".n" }, "n,url,n\na,http://a/1,b\n")
        #expect(read.page?.notes == ["there is more than one column n; the last one counts"])
        #expect(read.items.first?.name == "b")
        #expect(try Reading(.of("csv"), "n,url\na,http://a/1\n").page?.notes == nil)
    }

    @Test(
        "One JSON value given as JSON Lines is refused whole, with the kind that it seems to be",
        arguments: [
            "[\n  {\"url\": \"http://a/1\"},\n  {\"url\": \"http://a/2\"}\n]\n",
            "[{\"url\": \"http://a/1\"},{\"url\": \"http://a/2\"}]", "{\n\"items\": []\n}",
            "[{\"a\": 1},\n{\"a\": 2}]",
        ]
    )
    func oneValue(_ page: String) throws {
        let failure = try #require(try Reading(.of("jsonl"), page).failure)
        #expect(failure.code == "unexpected_type")
        #expect(
            failure.message
                == "the page should be JSON Lines, but is one JSON value; set kind: json, and say in items where its "
                + "items are, such as .[]"
        )
    }

    @Test("Arrays on lines are rows, and a line that is broken costs itself")
    func arrayLines() throws {
        let arrays = ListerProgram.of("jsonl") { $0.url = ".[1]" }
        #expect(try Reading(arrays, "[1,\"http://a/1\"]\n[2,\"http://a/2\"]\n").urls.count == 2)
        let own = ListerProgram.of("jsonl") { $0.items = ".[]" }
        #expect(try Reading(own, "[{\"url\":\"http://a/1\"},{\"url\":\"http://a/2\"}]\n").urls.count == 2)
        #expect(try Reading(.of("jsonl"), "{\"url\": \"http://a\n{\"url\": \"http://a/2\"}\n").page?.bad == 1)
    }

    @Test("JSON Lines given as JSON say so")
    func linesAsJSON() throws {
        let failure = try Reading(.json(), "{\"u\":\"1\"}\n{\"u\":\"2\"}\n").failure
        #expect(
            failure?.message == "the page should be one JSON value, but has one on each line; set kind: jsonl"
        )
        #expect(try Reading(.json(), "{\"u\":\n{\"u\":}").failure?.code == "unexpected_shape")
    }

    @Test("A feed's items without a picture are wanted where job.url says where theirs is")
    func feedWithOwnURL() throws {
        let page = """
            <rss><channel><item><guid>1</guid><link>http://a/1</link></item>
            <item><guid>2</guid><link>http://a/2</link></item></channel></rss>
            """
        let own = try Reading(.of("feed") { $0.url = ".link + \".jpg\"" }, page)
        #expect(own.urls == ["http://a/1.jpg", "http://a/2.jpg"])
        #expect(try Reading(.of("feed"), page).urls.isEmpty)
    }

    @Test(
        "Media RSS is known by each of its namespaces",
        arguments: [
            "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss",
            "https://www.rssboard.org/media-rss",
            "http://www.rssboard.org/media-rss/", "http://tools.search.yahoo.com/mrss/",
        ]
    )
    func mediaRSS(_ space: String) throws {
        let page = """
            <rss xmlns:m="\(space)"><channel><item><guid>1</guid>
            <m:content url="http://a/1.jpg" medium="image"/></item></channel></rss>
            """
        #expect(try Reading(.of("feed"), page).urls == ["http://a/1.jpg"])
    }

    @Test(
        "A bucket's listing is known by its local names, whatever its namespace",
        arguments: [
            "http://s3.amazonaws.com/doc/2006-03-01/", "http://doc.s3.amazonaws.com/2006-03-01",
            "http://doc.oss-cn-hangzhou.aliyuncs.com", "http://obs.myhwclouds.com/doc/2015-06-30/", "",
        ]
    )
    func buckets(_ space: String) throws {
        let page = """
            <ListBucketResult xmlns="\(space)"><Name>b</Name><IsTruncated>true</IsTruncated>
            <NextContinuationToken>t</NextContinuationToken>
            <Contents><Key>a.jpg</Key><ETag>"e"</ETag><Size>3</Size></Contents></ListBucketResult>
            """
        let read = try Reading(.of("s3"), page) { $0.url = "s3://bucket/" }
        #expect(read.urls == ["s3://bucket/a.jpg"] && read.page?.bucket?.nextToken == "t")
    }

    @Test("Control characters are left out of a feed, as they are and as references")
    func controls() throws {
        let page =
            "<rss><channel><item><title>a\u{8}b&#x1F;c&#0;d</title><description><![CDATA[x\u{1}y]]></description>"
            + "<enclosure url='http://a/1.jpg'/></item></channel></rss>"
        let program = ListerProgram.of("feed") { $0.meta = "{t: .title, s: .summary}" }
        let meta = try #require(try Reading(program, page).items.first?.meta)
        #expect(try JSONText.object(meta) == ["s": "xy", "t": "abcd"])
    }

    @Test("An author's portrait isn't the picture of a post")
    func portraits() throws {
        func page(_ media: String) -> String {
            """
            <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item><guid>1</guid>
            <media:content url="https://0.gravatar.com/avatar/abc?s=96&amp;d=identicon" medium="image"><media:title>
            jo</media:title></media:content>\(media)</item></channel></rss>
            """
        }
        let own = "<media:content url=\"http://a/own.jpg\" medium=\"image\"/>"
        #expect(try Reading(.of("feed"), page(own)).urls == ["http://a/own.jpg"])
        #expect(
            try Reading(.of("feed"), page("<enclosure url='http://a/e.jpg'/>")).urls == ["http://a/e.jpg"]
        )
        #expect(try Reading(.of("feed"), page("")).urls.isEmpty)
        let all = ListerProgram.of("feed") { $0.url = ".media[0].url" }
        #expect(try Reading(all, page("")).urls.count == 1)
    }

    @Test(
        "An object of which nothing is known is the end",
        arguments: [
            ("{after}", .end), ("{after, page: .none}", .end), ("{}", .end),
            (
                "{after, page: 2}",
                .query([.init(name: "after", value: nil), .init(name: "page", value: "2")])
            ),
        ] as [(String, ListedPage.Next)]
    )
    func emptyNext(_ next: String, _ expected: ListedPage.Next) throws {
        let program = ListerProgram.json(".items[]") { $0.next = next }
        let read = try Reading(program, #"{"items": [{"u": "http://a/1"}], "after": null}"#)
        #expect(read.page?.next == expected)
    }
}
