import Foundation
import SourceCore
import TestSupport
import TestTraits
import Testing

@testable import SourceReading

/// Dozens of odd feeds, read by us and by feedparser.
@Suite(.ownThread) struct FeedComparisonTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let python = package.appending(path: ".build/feedparser/bin/python").path

    /// A script that prints what feedparser finds, as JSON: ids, titles, links, and the URLs of enclosures
    /// and media.
    private static let script = """
        import feedparser, json, sys
        for path in sys.argv[1:]:
            found = feedparser.parse(path)
            print(json.dumps([{
                "id": e.get("id"), "title": e.get("title"), "link": e.get("link"),
                "enclosures": [x.get("href") for x in e.get("enclosures", [])],
                "media": [x.get("url") for x in e.get("media_content", []) if x.get("url")],
                "thumbnails": [x.get("url") for x in e.get("media_thumbnail", []) if x.get("url")],
            } for e in found.entries]))
        """

    private struct Entry: Decodable, Hashable {
        var id: String?
        var title: String?
        var link: String?
        var enclosures: [String?]
        var media: [String]
        var thumbnails: [String]
    }

    @Test(
        "Odd feeds have the same items, links and pictures as feedparser finds",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: python),
            "feedparser isn't installed: scripts/install-feedparser"
        )
    )
    func comparison() throws {
        let feeds = OddFeeds.all
        #expect(feeds.count >= 40)
        let folder = try PageFolder()
        let files = try feeds.enumerated().map { try folder.file("\($0.offset).xml", Array($0.element.utf8)) }
        let run = try Shell.run([Self.python, "-c", Self.script] + files)
        try #require(run.status == 0, "\(run.output)")
        let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("[") }
        try #require(lines.count == feeds.count)
        for (feed, line) in zip(feeds, lines) {
            var theirs = try JSONDecoder().decode([Entry].self, from: Data(line.utf8))
            // An enclosure without a URL is none here.
            for index in theirs.indices { theirs[index].enclosures.removeAll { $0 == nil } }
            // feedparser takes any id for a link where there is none.
            for index in theirs.indices where theirs[index].link == theirs[index].id {
                if theirs[index].link?.contains("://") == false { theirs[index].link = nil }
            }
            let program = ListerProgram.of("feed") {
                $0.items = ".items"
                $0.select = "true"
                $0.url = "\"x\""
                $0.meta =
                    "{id, title, link, enclosures: [.enclosures[].url], media: [.media[].url], thumbnails}"
            }
            let read = try Reading(program, feed)
            let ours = try read.items.map { item in
                try JSONDecoder().decode(Entry.self, from: Data((item.meta ?? "").utf8))
            }
            #expect(ours == theirs, "\(feed)")
        }
    }
}
