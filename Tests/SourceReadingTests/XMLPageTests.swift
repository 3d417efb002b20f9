import SourceCore
import Testing

@testable import SourceReading

@Suite struct XMLPageTests {
    private static func rss(_ items: String, channel: String = "") -> String {
        """
        <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
         xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><title>T</title>\(channel)\(items)</channel></rss>
        """
    }

    @Test(
        "URLs are relative to the base of their feed, entry and element, or else to the page",
        arguments: [
            (
                #" xml:base="http://o/cdn/""#, "", #"<enclosure url="1.jpg" type="image/jpeg"/>"#,
                "http://o/cdn/1.jpg"
            ),
            (
                #" xml:base="http://o/cdn/""#, #" xml:base="x/""#, #"<media:content url="../1.jpg"/>"#,
                "http://o/cdn/1.jpg"
            ),
            ("", "", #"<media:thumbnail xml:base="http://o/t/" url="1.jpg"/>"#, "http://o/t/1.jpg"),
            (#" xml:base="/cdn/""#, "", #"<enclosure url="1.jpg"/>"#, "/cdn/1.jpg"),
            (#" xml:base="//o/cdn/""#, "", #"<enclosure url="/1.jpg"/>"#, "//o/1.jpg"),
            (#" xml:base="cdn/""#, #" xml:base="""#, #"<enclosure url="../1.jpg"/>"#, "cdn/../1.jpg"),
            (#" xml:base="cdn/x""#, "", #"<enclosure url="/1.jpg"/>"#, "/1.jpg"),
            (#" xml:base="http://o/cdn/""#, "", #"<enclosure url="https://p/1.jpg"/>"#, "https://p/1.jpg"),
            (#" base="http://o/cdn/""#, "", #"<enclosure url="1.jpg"/>"#, "1.jpg"),
        ]
    )
    func base(_ feed: String, _ entry: String, _ picture: String, _ url: String) throws {
        let page =
            "<rss\(feed) xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><item\(entry)>\(picture)</item></channel></rss>"
        #expect(try Reading(.of("feed"), page).urls == [url])
    }

    @Test(
        "A page may have ampersands where XML has references",
        arguments: ["&#+65;", "&#x+41;", "&#-1;", "&#;", "&#x;", "&#xG;", "&b=2;"]
    )
    func ampersands(_ text: String) throws {
        let page = Self.rss("<item><enclosure url=\"/a.jpg?a=1\(text)\" type=\"image/jpeg\"/></item>")
        #expect(try Reading(.of("feed"), page).urls == ["/a.jpg?a=1\(text)"])
    }

    @Test(
        "The picture that stands for an item of a feed",
        arguments: [
            ("<enclosure url=\"/a.jpg\" type=\"image/jpeg\" length=\"5\"/>", "/a.jpg"),
            ("<enclosure url=\"/a.mp3\" type=\"audio/mpeg\"/><enclosure url=\"/b.png\"/>", "/b.png"),
            (
                "<media:content url=\"/s.jpg\" width=\"100\"/><media:content url=\"/l.jpg\" width=\"900\"/>",
                "/l.jpg"
            ),
            (
                "<media:group><media:content url=\"/l.jpg\" width=\"900\"/><media:content url=\"/d.jpg\" isDefault=\"true\"/></media:group>",
                "/d.jpg"
            ),
            (
                "<media:content url=\"/v.mp4\" medium=\"video\"><media:thumbnail url=\"/t.jpg\"/></media:content>",
                "/t.jpg"
            ),
        ]
    )
    func images(_ item: String, _ url: String) throws {
        let read = try Reading(
            .of("feed"),
            Self.rss("<item><guid> g1 </guid>\(item)</item><item><title>none</title></item>")
        )
        #expect(read.urls == [url])
        #expect(read.items.first?.key == "g1")
        #expect((read.page?.listed, read.page?.bad) == (2, 0))
    }

    @Test("What comes before the declaration and after the document is left alone")
    func surroundings() throws {
        let feed =
            "<?xml version=\"1.0\"?><rss><channel><item><enclosure url=\"/a.jpg\"/></item></channel></rss>"
        let pages = [
            "\n" + feed, "\u{FEFF} \r\n" + feed, feed + "\n<!-- 3 ms -->", feed + "\n<p>3 ms</p>",
            feed + "3 ms",
        ]
        for page in pages {
            #expect(try Reading(.of("feed"), page).urls == ["/a.jpg"], "\(page)")
        }
        #expect(try Reading(.of("feed"), feed.replacing("</rss>", with: "") + "3 ms").failure != nil)
        let stray = "<rss><channel><link>http://h/?a=1&b=2</link></rss>"
        #expect(try Reading(.of("feed"), stray).failure?.excerpt?.contains("a=1&b=2") == true)
    }

    @Test("What a feed's recipe selects is selected of the items with pictures")
    func selection() throws {
        let feed = """
            <rss><channel><item><title>a</title></item><item><title>ab</title><enclosure url="/b.jpg"/></item>
            <item><title>c</title><enclosure url="/c.jpg"/></item></channel></rss>
            """
        let read = try Reading(.of("feed") { $0.select = ".title | test(\"a\")" }, feed)
        #expect(read.urls == ["/b.jpg"] && read.page?.bad == 0)
    }

    @Test("Atom has links, and RSS 1.0 its items beside the channel")
    func formats() throws {
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><title type="html">A &amp;lt;b&gt;</title>
            <link href="/page"/><link rel="enclosure" type="image/png" href="/e.png"/><author><name>N</name></author></entry></feed>
            """
        let read = try Reading(.of("feed") { $0.meta = "{title, link, author}" }, atom)
        #expect(read.urls == ["/e.png"])
        #expect(read.items.first?.key == "urn:1")
        #expect(read.items.first?.meta == "{\"title\":\"A &lt;b>\",\"link\":\"/page\",\"author\":\"N\"}")
        let rdf = """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
             xmlns:media="http://search.yahoo.com/mrss"><channel/><item rdf:about="x"><media:content url="/r.jpg"/></item></rdf:RDF>
            """
        #expect(try Reading(.of("feed"), rdf).items.first?.key == "x")
    }

    @Test("A feed says how long it needn't be read")
    func ttl() throws {
        #expect(try Reading(.of("feed"), Self.rss("", channel: "<ttl>60</ttl>")).page?.ttl == 3600)
        let period = "<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>"
        #expect(try Reading(.of("feed"), Self.rss("", channel: period)).page?.ttl == 21_600)
        #expect(try Reading(.of("feed"), Self.rss("", channel: "<ttl>x</ttl>")).page?.ttl == nil)
    }

    @Test(
        "Ampersands that stand for themselves, and entities of HTML, are mended; nothing else changes",
        arguments: [
            ("?a=1&b=2", "?a=1&b=2"), ("?a=1&amp;b=2", "?a=1&b=2"), ("x&nbsp;y", "x\u{A0}y"),
            ("R&D &uuml;", "R&D ü"),
            ("<![CDATA[?a=1&b=2]]>", "?a=1&b=2"), ("&#233;&#xe9;&", "éé&"), ("&#1;&copy;", "©"),
            ("a\u{1}b", "ab"),
        ]
    )
    func mending(_ text: String, _ expected: String) throws {
        let item = "<item><title>\(text)</title><link>x&y</link><enclosure url=\"/a.jpg?u=1&v=2\"/></item>"
        let read = try Reading(.of("feed") { $0.meta = "{title}" }, Self.rss(item))
        #expect(read.urls == ["/a.jpg?u=1&v=2"])
        let meta = try #require(read.items.first?.meta)
        #expect(try JSONText.object(meta)["title"] == expected)
    }

    @Test("Other encodings are read as they say")
    func encodings() throws {
        for (name, byte, character) in [
            ("iso-8859-1", 0xE9, "é"), ("windows-1252", 0x80, "€"), ("ISO-8859-15", 0xA4, "€"),
        ] as [(String, UInt8, String)] {
            var page = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><rss><channel><item><title>".utf8)
            page += [byte] + Array("</title><enclosure url=\"a.jpg\"/></item></channel></rss>".utf8)
            let meta = try #require(try Reading(.of("feed") { $0.meta = "{title}" }, page).items.first?.meta)
            #expect(try JSONText.object(meta)["title"] == character)
        }
    }

    @Test(
        "What is no feed says what it is",
        arguments: [
            ("<!DOCTYPE html><html><body>", "unexpected_type"), ("{\"a\": 1}", "unexpected_type"),
            ("", "unexpected_type"),
            ("<urlset/>", "unexpected_type"), ("<rss><channel>", "unexpected_shape"),
            ("<rss/>", "unexpected_shape"),
            (
                "<!DOCTYPE rss [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><rss><channel><title>&b;</title></channel></rss>",
                "unexpected_shape"
            ),
            (
                "<!DOCTYPE rss [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><rss><channel/></rss>",
                "unexpected_shape"
            ),
        ]
    )
    func noFeed(_ page: String, _ code: String) throws {
        #expect(try Reading(.of("feed"), page).failure?.code == code)
    }

    @Test("Elements within each other without end are refused")
    func deep() throws {
        let page = "<rss>" + String(repeating: "<a>", count: 10_000)
        #expect(try Reading(.of("feed"), page).failure?.message.contains("deep") == true)
    }

    @Test("A sitemap's images, and its pages that are pictures; an index names sitemaps")
    func sitemap() throws {
        let page = """
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
            <url><loc>https://h/p</loc><lastmod>2026-01-02</lastmod><image:image><image:loc>https://h/a?x=1&amp;y=2</image:loc></image:image>
            <image:image><image:loc>https://h/b.jpg</image:loc><image:title>B</image:title></image:image></url>
            <url><loc>https://h/c.PNG</loc></url><url><loc>https://h/text</loc></url></urlset>
            """
        let read = try Reading(.of("sitemap") { $0.meta = "{page, lastmod}" }, page)
        #expect(read.urls == ["https://h/a?x=1&y=2", "https://h/b.jpg", "https://h/c.PNG"])
        #expect(read.items.first?.meta == "{\"page\":\"https://h/p\",\"lastmod\":\"2026-01-02\"}")
        let index = """
            <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://h/1.xml</loc>
            <lastmod>2026</lastmod></sitemap><sitemap><loc>https://h/2.xml</loc></sitemap></sitemapindex>
            """
        let children = try #require(try Reading(.of("sitemap"), index).page).children
        #expect(
            children == [
                .init(url: "https://h/1.xml", changed: "2026"), .init(url: "https://h/2.xml", changed: nil),
            ]
        )
    }

    @Test("An index of as many sitemaps as there may be is read, in parts")
    func longIndex() throws {
        let sitemap = { (number: Int) in
            "<sitemap><loc>https://h/\(number)/a-rather-long-name.xml</loc><lastmod>2026-01-01</lastmod></sitemap>"
        }
        let index = "<sitemapindex>" + (0..<50_000).map(sitemap).joined() + "</sitemapindex>"
        let read = try Reading(.of("sitemap"), index)
        #expect(read.page?.children.count == 50_000)
        #expect(read.page?.children.last?.url == "https://h/49999/a-rather-long-name.xml")
    }

    @Test("A bucket's page: keys decoded where they are encoded, folders and empty objects left out")
    func bucket() throws {
        let page = """
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>evil</Name><EncodingType>url</EncodingType>
            <KeyCount>4</KeyCount><IsTruncated>true</IsTruncated><NextContinuationToken>t/+=</NextContinuationToken>
            <Contents><Key>a+b%2Bc%3D(1).jpg</Key><ETag>"e1"</ETag><Size>5</Size></Contents>
            <Contents><Key>dir/</Key><ETag>"e2"</ETag><Size>0</Size></Contents>
            <Contents><Key>empty.jpg</Key><ETag>"e3"</ETag><Size>0</Size></Contents>
            <Contents><Key>%C3%A9//x.jpg</Key><ETag>&quot;e4-2&quot;</ETag><Size>7</Size></Contents></ListBucketResult>
            """
        let read = try Reading(.of("s3"), page) { $0.url = "s3://photos/pre/" }
        #expect(read.urls == ["s3://photos/a%20b%2Bc%3D%281%29.jpg", "s3://photos/%C3%A9//x.jpg"])
        #expect(read.items.map(\.key) == ["a b+c=(1).jpg@e1", "é//x.jpg@e4-2"])
        let bucket = try #require(read.page?.bucket)
        #expect((bucket.isTruncated, bucket.nextToken, bucket.lastKey) == (true, "t/+=", "é//x.jpg"))
        #expect(!bucket.isFirstVersion)
    }

    @Test("A bucket's error has its code and its region")
    func bucketError() throws {
        let page =
            "<Error><Code>PermanentRedirect</Code><Message>M</Message><Region>eu-west-1</Region></Error>"
        let failure = try #require(try Reading(.of("s3"), page).failure)
        #expect((failure.bucketCode, failure.region) == ("PermanentRedirect", "eu-west-1"))
        #expect(try Reading(.of("s3"), "<rss/>").failure?.code == "unexpected_type")
    }
}
