import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// What entries of feeds have besides their main picture.
@Suite struct FeedPageTests {
    private static func meta(_ page: String, _ meta: String, items: String? = nil) throws -> String? {
        let program = ListerProgram.of("feed") {
            $0.items = items
            $0.url = "\"http://a/1\""
            $0.meta = meta
        }
        let read = try Reading(program, page)
        #expect(read.failure == nil)
        return try JSONText.sorted(read.items.first?.meta)
    }

    @Test("An entry has its contents as HTML, in whichever way they are given")
    func contents() throws {
        let rss = """
            <rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><guid>1</guid>
            <content:encoded><![CDATA[<p>a <img src="b.jpg"></p>]]></content:encoded></item></channel></rss>
            """
        #expect(try Self.meta(rss, "{c: .content}") == #"{"c":"<p>a <img src=\"b.jpg\"></p>"}"#)
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>
            <content type="html">&lt;img src='b.jpg'&gt;</content></entry></feed>
            """
        #expect(try Self.meta(atom, "{c: .content}") == #"{"c":"<img src='b.jpg'>"}"#)
        let xhtml = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><content type="xhtml">\
            <div xmlns="http://www.w3.org/1999/xhtml">a &amp; <b>c</b> d<img alt="&quot;" src="b.jpg"/></div>\
            </content></entry></feed>
            """
        #expect(
            try Self.meta(xhtml, "{c: .content}")
                == #"{"c":"<div>a &amp; <b>c</b> d<img alt=\"&quot;\" src=\"b.jpg\"></div>"}"#
        )
        #expect(
            try Self.meta("<rss><channel><item/></channel></rss>", "{c: .content, l: .links}")
                == #"{"c":null,"l":[]}"#
        )
    }

    @Test("Links are told with their relation, type and title")
    func links() throws {
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a/x/"><entry><id>1</id><link href="p"/>
            <link rel="http://opds-spec.org/image" href="c.jpg" type="image/jpeg" title="t"/></entry></feed>
            """
        #expect(
            try Self.meta(atom, "{l: .links}")
                == #"{"l":[{"rel":"alternate","title":null,"type":null,"url":"http://a/x/p"},"#
                + #"{"rel":"http://opds-spec.org/image","title":"t","type":"image/jpeg","url":"http://a/x/c.jpg"}]}"#
        )
        let rss = "<rss><channel><item><link>http://a/p</link></item></channel></rss>"
        #expect(try Self.meta(rss, "{l: [.links[].url]}") == #"{"l":["http://a/p"]}"#)
    }

    @Test(
        "A feed has a picture and a next page, which next: link follows",
        arguments: [
            (
                "<rss><channel><image><url>http://a/i.png</url></image><atom:link xmlns:atom='http://www.w3.org/2005/Atom' "
                    + "rel='next' href='?page=2'/><item/></channel></rss>", "http://a/i.png"
            ),
            (
                "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><itunes:image href='http://a/c.jpg'/>"
                    + "<image><url>http://a/i.png</url></image><item/><link xmlns='http://www.w3.org/2005/Atom' rel='next' "
                    + "href='?page=2'/></channel></rss>", "http://a/c.jpg"
            ),
            (
                "<feed xmlns='http://www.w3.org/2005/Atom'><logo>http://a/l.png</logo><link rel='next' href='?page=2'/>"
                    + "<entry><id>1</id></entry></feed>", "http://a/l.png"
            ),
            (
                #"{"version":"https://jsonfeed.org/version/1.1","icon":"http://a/i.png","next_url":"?page=2","items":[{"id":"1"}]}"#,
                "http://a/i.png"
            ),
        ]
    )
    func feeds(_ page: String, _ image: String) throws {
        let program = ListerProgram.of("feed") {
            $0.items = "{image}"
            $0.next = "link"
        }
        let read = try Reading(program, page)
        #expect(read.urls == [image] && read.page?.next == .url("?page=2"))
        let other = try Reading(program, page) { $0.links = ["next": "/other"] }
        #expect(other.page?.next == .url("/other"))
    }

    @Test("A JSON Feed is a feed")
    func jsonFeed() throws {
        let page = #"""
            {"version": "https://jsonfeed.org/version/1", "title": "F", "items": [
              {"id": 7.0, "url": "http://a/7", "content_html": "<p>x</p>", "image": "http://a/7.jpg", "tags": ["t", 1],
               "authors": [{"name": "jo"}], "date_published": "2026-01-02T03:04:05Z"},
              {"id": "8", "attachments": [{"url": "http://a/8.mp3", "mime_type": "audio/mpeg"},
                {"url": "http://a/8.png", "mime_type": "image/png", "size_in_bytes": 12}]},
              {"id": "9"}, "odd"]}
            """#
        let program = ListerProgram.of("feed") {
            $0.meta = "{content, categories, author, published, e: .enclosures}"
        }
        let read = try Reading(program, page)
        #expect(read.urls == ["http://a/7.jpg", "http://a/8.png"])
        #expect(read.items.map(\.key).prefix(2) == ["7", "8"])
        #expect(
            try JSONText.sorted(read.items.first?.meta)
                == #"{"author":"jo","categories":["t"],"content":"<p>x</p>","e":[],"published":"2026-01-02T03:04:05Z"}"#
        )
        #expect(
            try JSONText.sorted(read.items[1].meta)?.contains(
                #"{"length":"12","type":"image/png","url":"http://a/8.png"}"#
            )
                == true
        )
        let other = try #require(try Reading(.of("feed"), #"{"items": []}"#).failure)
        #expect(other.message.hasPrefix("the page is JSON, but not a feed"))
    }

    @Test("Pictures in a post's HTML are found as the manual says")
    func picturesInHTML() throws {
        let page = """
            <rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><link>http://a/p</link>
            <content:encoded>&lt;p&gt;&lt;img class="x" src="/1.jpg?a=1&amp;amp;b=2"&gt; &lt;img src="2.jpg"/&gt;
            </content:encoded></item><item><description>none</description></item></channel></rss>
            """
        let program = ListerProgram.of("feed") {
            $0.items =
                #".items[] | . as $post | (.content // .summary // "") | scan("<img[^>]*? src=\"([^\"]+)")[0] "#
                + #"| gsub("&amp;"; "&") | {image: ., post: $post.link}"#
            $0.key = ".image"
            $0.meta = "{page: .post}"
        }
        let read = try Reading(program, page)
        #expect(
            read.urls == ["/1.jpg?a=1&b=2", "2.jpg"] && read.items.first?.meta == #"{"page":"http://a/p"}"#
        )
    }
}
