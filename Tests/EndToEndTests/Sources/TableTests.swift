import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tables of files, read by the real page reader for the real client.
struct TableTests {
    @Test("A table's rows become one batch, with names and what is to be known from its columns")
    func table() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let table =
            "\u{FEFF}Title,URL,File\r\n\"A, b\",http://127.0.0.1:1/a.jpg,x.jpg\r\nC,http://127.0.0.1:1/c.jpg,\r\n"
        let file = try installation.directory.write(Array(table.utf8), to: "list.csv")
        let added = try await installation.facefetch(
            "add",
            "--from",
            file,
            "--name-column",
            "file",
            "--meta",
            "title"
        )
        #expect(added.status == 0, "\(added.errors)")
        let jobs = try await installation.allJobs()
        #expect(jobs.map(\.name) == ["x.jpg", "c.jpg"] && Set(jobs.map(\.batch)).count == 1)
        #expect(jobs.map { $0.meta?.members.first?.text } == ["A, b", "C"])
        let lines = try installation.directory.write(
            Array("{\"link\":\"http://127.0.0.1:1/d.jpg\"}\n".utf8),
            to: "more.jsonl"
        )
        let more = try await installation.facefetch("add", "--from", lines, "--url-column", "link")
        #expect(more.status == 0, "\(more.errors)")
        #expect(try await installation.allJobs().count == 3)
        let other = try installation.directory.write(
            Array("url,URL\nnothing,http://127.0.0.1:1/e.jpg\n".utf8),
            to: "other.csv"
        )
        let once = try await installation.facefetch("add", "--from", other, "--url-column", "URL")
        #expect(once.status == 0, "\(once.errors)")
        #expect(try await installation.allJobs().last?.url == "http://127.0.0.1:1/e.jpg")
        #expect(await daemon.stop() == 0)
    }

    @Test("A bad row refuses all of a table, and says its line")
    func badRow() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        for (table, words) in [
            ("url\nhttp://127.0.0.1:1/a.jpg\n\"\"\n", "line 3"),
            ("link\nhttp://h/a.jpg\n", "there is no column url, only link"),
            ("url\nhttp://h/b.jpg\n\na.jpg\n", "line 4: \"a.jpg\" is not a whole URL"),
            (
                "url,n\nhttp://h/b.jpg,\"1\n2\"\nftp://h/a.jpg,\n",
                "list.csv line 4, \"ftp://h/a.jpg\", is refused"
            ),
            (
                "url\nhttp://h/a" + String(repeating: " ", count: 16_374) + "b\n",
                "line 2: job.url: this is longer than 8192 bytes"
            ),
        ] {
            let file = try installation.directory.write(Array(table.utf8), to: "list.csv")
            let added = try await installation.facefetch("add", "--from", file)
            #expect(added.status == 2 && added.errors.contains(words), "\(words): \(added.errors)")
        }
        for (lines, words) in [
            (
                "{\"url\":\"http://h/a\"}\n\n{\"url\":\"ftp://h/a\"}\n",
                "list.jsonl line 3, \"ftp://h/a\", is refused"
            ),
            ("{\"url\":\"http://h/a\"}\n{\"link\":\"http://h/b\"}\n", "line 2: job.url"),
        ] {
            let file = try installation.directory.write(Array(lines.utf8), to: "list.jsonl")
            let added = try await installation.facefetch("add", "--from", file)
            #expect(added.status == 2 && added.errors.contains(words), "\(words): \(added.errors)")
        }
        #expect(try await installation.allJobs().isEmpty)
        #expect(await daemon.stop() == 0)
    }

    @Test("A row of JSON Lines may be without what --meta names, and an empty text is one")
    func sparse() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let lines = [
            #"{"url":"http://127.0.0.1:1/1","title":"","n":1}"#, #"{"url":"http://127.0.0.1:1/2","n":null}"#,
            #"{"url":"http://127.0.0.1:1/3","Title":"x","file":""}"#,
        ]
        let file = try installation.directory.write(
            Array(lines.joined(separator: "\n").utf8),
            to: "list.jsonl"
        )
        let added = try await installation.facefetch(
            "add",
            "--from",
            file,
            "--meta",
            "title,n",
            "--name-column",
            "file"
        )
        #expect(added.status == 0, "\(added.errors)")
        let jobs = try await installation.allJobs()
        #expect(jobs.map(\.name) == ["1", "2", "3"])
        let said = try await installation.facefetch("list", "--json").output
        for meta in [#"{"n":1,"title":""}"#, #"{"n":null,"title":null}"#, #"{"n":null,"title":"x"}"#] {
            #expect(said.contains("\"meta\":\(meta)"), "\(said)")
        }
        #expect(await daemon.stop() == 0)
    }

    @Test("A list in ISO 8859-1 asks for the bytes that are in it, from a file, a pipe or a table")
    func otherBytes() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serveOthers { OriginFile([1, 2, 3]).answer(to: $0) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        for (name, start, end) in [("list.txt", "", ""), ("list.csv", "url,title\n", ",x")] {
            let bytes = Array((start + origin.url("/caf")).utf8) + [0xE9] + Array(".jpg\(end)\n".utf8)
            let file = try installation.directory.write(bytes, to: name)
            let added = try await installation.facefetch("add", "--from", file, "--wait")
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(origin.requests.map(\.target) == ["/caf%E9.jpg", "/caf%E9.jpg"])
        #expect(await daemon.stop() == 0)
    }
}
