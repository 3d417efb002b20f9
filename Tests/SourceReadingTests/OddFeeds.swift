/// Feeds as they are met with, one oddity each.
enum OddFeeds {
    static let all = rss.map(rssPage) + atom.map(atomPage) + whole

    private static func rssPage(_ item: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" "
            + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>Feed</title><link>http://h/</link>"
            + "\(item)</channel></rss>"
    }

    private static func atomPage(_ entry: String) -> String {
        "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\">"
            + "<title>Feed</title><id>urn:feed</id>\(entry)</feed>"
    }

    private static let rss = [
        "",
        "<item></item>",
        "<item><title>one</title><link>http://h/1</link><guid>g1</guid></item>",
        "<item><guid>http://h/permanent</guid></item>",
        "<item><guid isPermaLink=\"false\">  g2  </guid><link>http://h/2</link></item>",
        "<item><title><![CDATA[Fish & chips]]></title><link>http://h/3</link></item>",
        "<item><title>Fish &amp; chips</title><link>http://h/?a=1&amp;b=2</link></item>",
        "<item><title>é ü \u{1F600}</title></item>",
        "<item><title>&#233;&#x1F600;</title></item>",
        "<item><title>\n  spaced\n  </title><link>\n http://h/4 \n</link></item>",
        "<item><enclosure url=\"http://h/a.jpg\" length=\"10\" type=\"image/jpeg\"/></item>",
        "<item><enclosure url=\"http://h/a.jpg?x=1&amp;y=2\" length=\"10\" type=\"image/jpeg\"/></item>",
        "<item><enclosure url=\"http://h/1.jpg\" type=\"image/jpeg\"/><enclosure url=\"http://h/2.jpg\" type=\"image/jpeg\"/></item>",
        "<item><enclosure url=\"http://h/a.mp3\" type=\"audio/mpeg\"/></item>",
        "<item><media:content url=\"http://h/m.jpg\" width=\"640\" height=\"480\"/></item>",
        "<item><media:content url=\"http://h/m1.jpg\"/><media:content url=\"http://h/m2.jpg\"/></item>",
        "<item><media:group><media:content url=\"http://h/g1.jpg\"/><media:content url=\"http://h/g2.jpg\"/></media:group></item>",
        "<item><media:thumbnail url=\"http://h/t.jpg\" width=\"75\"/></item>",
        "<item><media:content url=\"http://h/m.jpg\"><media:thumbnail url=\"http://h/t.jpg\"/></media:content></item>",
        "<item><media:content url=\"http://h/m.jpg\"/><media:thumbnail url=\"http://h/t.jpg\"/><enclosure url=\"http://h/e.jpg\" type=\"image/jpeg\"/></item>",
        "<item><title>a</title></item><item><title>b</title></item><item><title>c</title></item>",
        "<item><guid>same</guid></item><item><guid>same</guid></item>",
        "<item><title>one</title><unknown><title>inner</title></unknown></item>",
        "<item><title>before</title><!-- a comment --><link>http://h/5</link></item>",
        "<item><title>x<!-- in -->y</title></item>",
        "<item><dc:title>dublin</dc:title><link>http://h/6</link></item>",
        "<image><url>http://h/logo.png</url><title>logo</title></image><item><title>after</title></item>",
        "<textInput><title>search</title><link>http://h/s</link></textInput><item><title>after</title></item>",
        "<item><title>\(String(repeating: "long ", count: 500))end</title></item>",
        "<item><link><![CDATA[http://h/7?a=1&b=2]]></link></item>",
        "<item><title>a&nbsp;b &eacute;</title></item>",
        "<item><title>1 &lt; 2</title><link>http://h/8</link></item>",
        "<item><enclosure type=\"image/jpeg\"/><title>no url</title></item>",
        "<item><media:content url=\"http://h/v.mp4\" medium=\"video\"><media:thumbnail url=\"http://h/v.jpg\"/></media:content></item>",
        "<item><media:thumbnail url=\"http://h/t1.jpg\"/><media:thumbnail url=\"http://h/t2.jpg\"/></item>",
        "<item><guid isPermaLink=\"true\">http://h/11</guid><title>x</title></item>",
        "<item>text<title>y</title>more text</item>",
        "<item xml:lang=\"de\"><title>z</title></item>",
    ]

    private static let atom = [
        "",
        "<entry><id>urn:1</id><title>one</title><link href=\"http://h/1\"/></entry>",
        "<entry><id>urn:2</id><link rel=\"alternate\" href=\"http://h/2\"/><link rel=\"self\" href=\"http://h/self\"/></entry>",
        "<entry><id>urn:3</id><link rel=\"enclosure\" type=\"image/jpeg\" href=\"http://h/e.jpg\"/><link href=\"http://h/3\"/></entry>",
        "<entry><id>urn:4</id><link rel=\"enclosure\" href=\"http://h/1.jpg\"/><link rel=\"enclosure\" href=\"http://h/2.jpg\"/><link href=\"http://h/4\"/></entry>",
        "<entry><id>urn:5</id><title type=\"text\">A &amp; B</title></entry>",
        "<entry><id>urn:6</id><media:content url=\"http://h/m.jpg\"/><media:thumbnail url=\"http://h/t.jpg\"/></entry>",
        "<entry><id>urn:7</id><media:group><media:content url=\"http://h/g.jpg\"/></media:group></entry>",
        "<entry><id> urn:8 </id><title>\n x \n</title></entry>",
        "<entry><id>urn:9</id></entry><entry><id>urn:10</id></entry>",
        "<entry><id>urn:11</id><link rel=\"via\" href=\"http://h/via\"/><link rel=\"alternate\" type=\"text/html\" href=\"http://h/11\"/></entry>",
        "<entry><id>urn:12</id><title type=\"html\"><![CDATA[A &amp; B]]></title></entry>",
        "<entry><id>urn:13</id><title>t</title><content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><title>inner</title></div></content></entry>",
        "<entry><id>urn:14</id><source><id>urn:other</id><title>another</title></source><title>own</title></entry>",
    ]

    private static let whole = [
        // RSS 1.0: the items stand beside the channel.
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">"
            + "<channel rdf:about=\"http://h/\"><title>F</title></channel><item rdf:about=\"http://h/1\"><title>one</title>"
            + "<link>http://h/1</link></item></rdf:RDF>",
        // RSS 0.91 with no version.
        "<rss><channel><item><title>old</title><link>http://h/1</link></item></channel></rss>",
        // Another prefix for Media RSS, and its namespace without a slash.
        "<rss xmlns:m=\"http://search.yahoo.com/mrss\"><channel><item><m:content url=\"http://h/m.jpg\"/></item></channel></rss>",
        // A prefix for Atom.
        "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\"><a:entry><a:id>urn:1</a:id><a:title>t</a:title></a:entry></a:feed>",
        // Ampersands that stand for themselves.
        "<rss><channel><item><title>Q & A</title><link>http://h/?a=1&b=2</link></item></channel></rss>",
        // A byte order mark.
        "\u{FEFF}<rss><channel><item><title>bom</title></item></channel></rss>",
        // Atom's link within RSS.
        "<rss xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><atom:link rel=\"self\" href=\"http://h/feed\"/>"
            + "<item><title>t</title><link>http://h/1</link></item></channel></rss>",
        // URLs relative to a base of the feed, the entry and the element.
        based("<entry><id>urn:1</id><link href=\"a.html\"/><link rel=\"enclosure\" href=\"1.jpg\"/></entry>"),
        based(
            "<entry xml:base=\"x/\"><id>urn:1</id><link href=\"a.html\"/><link rel=\"enclosure\" href=\"../1.jpg\"/></entry>"
        ),
        based(
            "<entry><id>urn:1</id><link rel=\"enclosure\" xml:base=\"http://o/p/\" href=\"1.jpg\"/></entry>"
        ),
        based(
            "<entry><id>urn:1</id><link href=\"http://o/a.html\"/><link rel=\"enclosure\" href=\"//n/1.jpg\"/>"
                + "<link rel=\"enclosure\" href=\"?a=1\"/><link rel=\"enclosure\" href=\"/r.jpg\"/></entry>"
        ),
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"/cdn/\"><entry><id>urn:1</id>"
            + "<link rel=\"enclosure\" href=\"1.jpg\"/></entry></feed>",
        "<rss xml:base=\"http://h/cdn/\"><channel><item xml:base=\"/y/\"><link> a.html </link></item>"
            + "<item><link xml:base=\"http://z/q\">b.html</link></item></channel></rss>",
    ]

    private static func based(_ entry: String) -> String {
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://h/cdn/\">\(entry)</feed>"
    }
}
