import Foundation
import TestTraits
import Testing

@Suite(.ownThread) struct CommandLineTests {
    @Test("By hand, items are printed a line each, then what comes next")
    func items() throws {
        let recipe = """
            name: endless
            url: https://h.example/list?page=1
            items: .items[]
            next: "if .has_more == 1 then {page: (.page + 1)} else null end"
            more: .has_more
            total: .total
            priority: 3
            job: {url: .image, meta: {title: .title}}
            """
        let page =
            "{\"items\": [{\"image\": \"/a b.jpg\", \"title\": \"T\"}], \"page\": 1, \"total\": 40, \"has_more\": 1}"
        let run = try ListerRun.page(recipe, Array(page.utf8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.lines == [
                "{\"url\":\"https://h.example/a b.jpg\",\"key\":\"https://h.example/a b.jpg\",\"name\":null,\"sha256\":null,"
                    + "\"priority\":3,\"meta\":{\"title\":\"T\"}}",
                "{\"next\":\"https://h.example/list?page=2\",\"more\":true,\"total\":40}",
            ]
        )
    }

    @Test("A page from a pipe is refused in a sentence; a file as standard input, or behind a link, is read")
    func standardInput() throws {
        let folder = try PageFolder()
        let recipe = try folder.file(
            "recipe.yaml",
            Array("{url: 'https://h/', items: '.[]', job: {url: .u}}".utf8)
        )
        let page = try folder.file("page.json", Array("[{\"u\":\"/1.jpg\"}]".utf8))
        let given = try ListerRun(
            ["--recipe", recipe, "/dev/stdin"],
            input: Array("[{\"u\":\"/1.jpg\"}]".utf8)
        )
        #expect(given.status == 0 && given.lines.count == 2, "\(given.errors)")
        let link = folder.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: page)
        #expect(try ListerRun(["--recipe", recipe, link]).lines.count == 2)
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let refused = try ListerRun(["--recipe", recipe, pipe])
        #expect(refused.status == 2 && refused.errors.contains("is not a file"), "\(refused.errors)")
        let missing = try ListerRun(["--recipe", recipe, folder.path + "/none.json"])
        #expect(missing.status == 1 && missing.errors.contains("No such file"), "\(missing.errors)")
    }

    @Test("A recipe that makes no sense ends with 2 and says where, all at once")
    func recipe() throws {
        let run = try ListerRun.page("{url: 'https://h/', itms: '.[]', ahead: none}", [])
        #expect(run.status == 2)
        for part in [
            "itms: there is no such field; did you mean items?", "ahead: give a number",
            "items: kind json needs this",
        ] {
            #expect(run.errors.contains(part), "\(run.errors)")
        }
        let jq = try ListerRun.page("{url: 'https://h/', items: '.[', job: {url: .u}}", [])
        #expect(jq.status == 2)
        #expect(jq.errors.contains("items: syntax error"), "\(jq.errors)")
        let name = try ListerRun.page("{url: 'https://h/', items: '.Größe[]', job: {url: .u}}", [])
        #expect(name.errors.contains("as .\"NAME\"") && !name.errors.contains("line 1"), "\(name.errors)")
    }

    @Test("A hundred thousand rows are read to the end")
    func rows() throws {
        let page = "id,url\n" + (0..<100_000).map { "\($0),http://h/\($0).jpg\n" }.joined()
        let run = try ListerRun.page(
            "{kind: csv, url: 'https://h/list.csv', job: {url: .url, key: .id}}",
            Array(page.utf8)
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.count == 100_001)
        #expect(run.lines[99_999].contains("\"key\":\"99999\""))
    }

    @Test("Secrets aren't needed by hand, and stand as what they are in URLs")
    func secrets() throws {
        let recipe =
            "{url: 'https://h/{k}', vars: {k: {secret: nasa}}, items: '.[]', next: '{page: 2}', job: {url: $url}}"
        let run = try ListerRun.page(recipe, Array("[1]".utf8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.lines.joined().contains("SECRET-nasa") || run.lines.last?.contains("next") == true)
    }
}
