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
            ("url\na.jpg\n", "not a whole URL"), ("url\nftp://h/a.jpg\n", "ftp"),
        ] {
            let file = try installation.directory.write(Array(table.utf8), to: "list.csv")
            let added = try await installation.facefetch("add", "--from", file)
            #expect(added.status == 2 && added.errors.contains(words), "\(words): \(added.errors)")
        }
        #expect(try await installation.allJobs().isEmpty)
        #expect(await daemon.stop() == 0)
    }
}
