import JobModel
import Testing
import Vocabulary

struct DocumentLayoutTests {
    /// 2026-11-21, 06:45 in UTC.
    private static let time = Timestamp(microseconds: 1_795_243_503_000_000)

    private static func job(
        _ url: String = "https://Example.org:8443/a.jpg",
        source: String? = "museum"
    ) throws -> Job {
        var job = Job(
            id: JobID(rawValue: 3),
            batch: BatchID(rawValue: 7),
            createdAt: Moment(microseconds: 0),
            url: try JobURL(url),
            name: "a.jpg"
        )
        job.options.source = source
        return job
    }

    private static let hash = "a1b2" + String(repeating: "0", count: 60)

    @Test(
        "A template becomes a folder",
        arguments: [
            ("", ""), ("photos", "photos"), ("{host}", "example.org"), ("{host}/{sha2}", "example.org/a1"),
            ("{year}/{month}/{day}", "2026/11/21"), ("{year}-{month}", "2026-11"), ("{batch}", "b7"),
            ("of {source}/x{sha2}y", "of museum/xa1y"), ("{source}{batch}", "museumb7"),
        ]
    )
    func folders(template: String, folder: String) throws {
        let layout = try DocumentLayout(template: template).filled(for: try Self.job(), at: Self.time)
        #expect(layout.folder(sha256: Self.hash).path == folder)
        #expect(layout.needsHash == template.contains("{sha2}"))
    }

    @Test("What isn't known is left out, and its part with it")
    func unknown() throws {
        let layout = try DocumentLayout(template: "{source}/{host}")
            .filled(for: try Self.job(source: nil), at: Self.time)
        #expect(layout.folder(sha256: nil).path == "example.org")
        #expect(try DocumentLayout(template: "{sha2}").folder(sha256: nil).isTop)
    }

    @Test("A host can't hide a folder, or lead elsewhere")
    func hosts() throws {
        let layout = try DocumentLayout(template: "{host}/x")
        for (url, folder) in [("https://[::1]/a", "::1/x"), ("https://127.0.0.1:9/a", "127.0.0.1/x")] {
            let filled = layout.filled(for: try Self.job(url), at: Self.time)
            #expect(filled.folder(sha256: nil).path == folder)
        }
    }

    @Test("What is too long together is cut, part by part")
    func long() throws {
        let label = String(repeating: "h", count: 60)
        let host = "https://" + (1...4).map { _ in label }.joined(separator: ".") + "/a"
        let template = Array(repeating: "{host}", count: 8).joined(separator: "/")
        let layout = try DocumentLayout(template: template).filled(for: try Self.job(host), at: Self.time)
        let folder = layout.folder(sha256: nil)
        #expect(folder.parts.count == 8 && folder.path.utf8.count <= DocumentFolder.maximumBytes)
        #expect(try DocumentFolder(folder.path) == folder)
    }

    @Test(
        "A folder that was asked for is a layout, and stays as it is, whatever is in its name",
        arguments: ["a {host}/{sha2}", "-a/-b", "a/" + String(repeating: "b", count: 255)]
    )
    func asked(path: String) throws {
        let folder = try DocumentFolder(path)
        let layout = DocumentLayout(folder).filled(for: try Self.job(), at: Self.time)
        #expect(!layout.needsHash && layout.folder(sha256: Self.hash) == folder)
    }

    private static let refused: [(template: String, words: String)] = [
        ("{hots}", "there is no {hots}; there are {host}"), ("{}", "there is no {}"),
        ("a/{host", "a brace in \"{host\""), ("host}", "a brace in \"host}\""),
        ("{a/b}", "a brace in \"{a\""),
        ("/a", "begin with a slash"), ("../{host}", "each part"), ("a//b", "each part"), ("a/", "each part"),
        (".{host}", "each part"), (" {host}", "each part"), ("{host}\n", "each part"),
        ("1/2/3/4/5/6/7/8/9", "at most 8 levels"),
    ]

    @Test("A wrong template is refused, with words that name what is wrong", arguments: refused)
    func refusals(template: String, words: String) {
        let error = #expect(throws: DocumentLayout.Refusal.self) { try DocumentLayout(template: template) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}
