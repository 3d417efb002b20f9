import ControlAPI
import Digests
import Foundation
import TestSupport

extension FixedReplica {
    static func feed() -> FixedReplica {
        let items = [
            "<guid isPermaLink=\"false\">one</guid><title>A &amp; B</title><link>https://h/1</link>"
                + "<enclosure url=\"/feed/picture/1.jpg?a=1&amp;b=2\" type=\"image/jpeg\" length=\"1\"/>",
            "<guid>two</guid><media:group><media:content url=\"/feed/picture/small.jpg\" width=\"100\"/>"
                + "<media:content url=\"/feed/picture/large.jpg\" width=\"900\"/></media:group>",
            "<guid>three</guid><title>no picture</title>",
        ]
        let body = items.map { "<item>\($0)</item>" }.joined()
        let text =
            "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>\(body)</channel></rss>"
        return FixedReplica(
            "feed",
            keys: ["one", "two"],
            ["/feed.xml": ("application/rss+xml", Array(text.utf8))]
        )
    }

    /// An index of two sitemaps, one of them compressed.
    static func site() throws -> FixedReplica {
        func sitemap(_ name: String) -> [UInt8] {
            let text =
                "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
                + "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>https://h/\(name)</loc>"
                + "<image:image><image:loc>/site/picture/\(name)1.jpg</image:loc></image:image>"
                + "<image:image><image:loc>/site/picture/\(name)2.jpg</image:loc></image:image></url></urlset>"
            return Array(text.utf8)
        }
        let index =
            "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
            + "<sitemap><loc>/site/a.xml</loc></sitemap><sitemap><loc>/site/b.xml.gz</loc></sitemap></sitemapindex>"
        return FixedReplica(
            "site",
            keys: ["a1", "a2", "b1", "b2"],
            [
                "/sitemap.xml": ("text/xml", Array(index.utf8)), "/a.xml": ("application/xml", sitemap("a")),
                "/b.xml.gz": ("application/gzip", try Compressed.gzip(sitemap("b"))),
            ]
        )
    }

    static func table() throws -> FixedReplica {
        let rows =
            "\u{FEFF}id,URL,file,Title\r\n1,/table/picture/1.jpg,first.jpg,\"A, \"\"B\"\"\"\r\n"
            + "90071992547409931,/table/picture/2.jpg,,\"two\nlines\"\r\n3,,none.jpg,a row without a URL\r\n"
        return FixedReplica(
            "table",
            keys: ["1", "90071992547409931"],
            ["/list.csv.gz": ("application/gzip", try Compressed.gzip(Array(rows.utf8)))]
        )
    }

    static func records() -> FixedReplica {
        func row(_ number: Int, width: Int) -> String {
            let path = "/records/picture/\(number).jpg"
            let hash = SHA256.hash(data: Data(Picture.bytes(path))).map {
                ($0 < 16 ? "0" : "") + String($0, radix: 16)
            }
            return "{\"width\":\(width),\"image\":{\"href\":\"\(path)\",\"sha256\":\"\(hash.joined())\"}}\n"
        }
        let rows = row(1, width: 640) + row(2, width: 639) + row(3, width: 9000)
        return FixedReplica(
            "records",
            keys: ["1", "3"],
            ["/list.jsonl": ("application/jsonl", Array(rows.utf8))]
        )
    }
}

/// A folder as nginx lists it: by nginx itself where there is one.
final class FolderReplica: Replica {
    static let names = ["a b.jpg", "100%.jpg", "é+(1)#?.jpg"]
    let recipe = "folder"
    private let nginx: NginxServer?

    init() throws {
        nginx =
            NginxServer.executable == nil
            ? nil : try NginxServer.start(location: "autoindex on; autoindex_format json;")
        guard let nginx else { return }
        try FileManager.default.createDirectory(
            atPath: nginx.root + "/pictures/sub",
            withIntermediateDirectories: true
        )
        for name in Self.names { try nginx.serve(Array(name.utf8), at: "pictures/" + name) }
    }

    var keys: [String] { Self.names.sorted().map { $0 + " Tue, 14 Nov 2023 22:13:20 GMT" } }
    var pages: Int { 1 }

    func base(_ origin: Origin) -> String { nginx?.url("") ?? origin.url("/folder") }

    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer? {
        if path == "/pictures/" {
            let files = Self.names.sorted().map {
                ["name": $0, "type": "file", "mtime": "Tue, 14 Nov 2023 22:13:20 GMT"]
            }
            return ListOrigin.json([["name": "sub", "type": "directory"]] + files)
        }
        return OriginFile(Array(SignatureCheck.decoded(String(path.dropFirst(10))).utf8)).answer(to: request)
    }

    func bytes(of job: JobJSON) -> [UInt8] {
        Array(SignatureCheck.decoded(String(job.url.split(separator: "/").last ?? "")).utf8)
    }

    func stop() { nginx?.stop() }
}
