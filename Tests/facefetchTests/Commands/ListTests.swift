import ControlAPI
import Foundation
import TestSupport
import Testing

@Suite("facefetch list, show, status, faces")
struct ListTests {
    @Test("A list goes through all pages, and its filters go to the daemon")
    func pages() async throws {
        let daemon = try ScriptedDaemon { request in
            request.query["after"] == nil
                ? .json(Samples.page([Samples.job(1)], total: 2, next: "a cursor/1"))
                : .json(Samples.page([Samples.failedJob(2)], total: 2))
        }
        let result = try await ClientProcess.run([
            "list", "--state", "done", "--batch", "b1", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        #expect(
            result.lines == [
                "JOB  BATCH  STATE   DONE    SIZE  SINCE ADDED  OWN TIME  FACES  NAME   REASON",
                "j1   b1     done    100%  1.2 MB      0.999 s         –      7  a.jpg",
                "j2   b1     failed     –       –      0.999 s         –      –  b.jpg  http_404: The server says 404 for https://example.org/b.jpg",
            ]
        )
        #expect(daemon.requests.map { $0.query["after"] } == [nil, "a cursor/1"])
        #expect(daemon.requests.allSatisfy { $0.query["state"] == "done" && $0.query["batch"] == "1" })
    }

    @Test("A job has its own duration beside that of its batch, from the answer to its end")
    func duration() async throws {
        let daemon = try ScriptedDaemon { _ in
            var job = Samples.job(1)
            job.elapsed = 3600
            job.response = .init(
                finalURL: job.url,
                status: 200,
                contentType: nil,
                lastModified: nil,
                etag: nil,
                robots: nil,
                receivedAt: "2026-11-21T06:45:04.110Z"
            )
            return .json(Samples.page([job]))
        }
        let result = try await ClientProcess.run(["list", "--socket", daemon.socketPath])
        #expect(
            result.lines.last == "j1   b1     done   100%  1.2 MB   3600.000 s   0.500 s      7  a.jpg"
        )
    }

    @Test("Every filter goes to the daemon, whatever is in it")
    func filters() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.page([Samples.job(1)])) }
        let result = try await ClientProcess.run([
            "list", "--source", "mars", "--meta", "a b=c&d", "--meta", "-n=", "--min-faces", "2", "--match",
            "x",
            "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let query = try #require(daemon.requests.first).query
        #expect(query["source"] == "mars" && query["faces_min"] == "2" && query["q"] == "x")
        #expect(query["meta.a b"] == "c&d" && query["meta.-n"] == "")
        for wrong in [["--meta", "a"], ["--min-faces", "-1"], ["--source", ""], ["--min-faces", "x"]] {
            #expect(try await ClientProcess.run(["list"] + wrong).status == 2, "\(wrong)")
        }
    }

    @Test("A batch or source that isn't there is an error, and no empty list")
    func strangers() async throws {
        let daemon = try ScriptedDaemon { request in
            request.path == "/v1/jobs"
                ? .json(Samples.page([])) : .problem(404, "no_such_batch", "There is no batch b99")
        }
        let result = try await ClientProcess.run(["list", "--batch", "b99", "--socket", daemon.socketPath])
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors == "facefetch: There is no batch b99.\n")
    }

    @Test("A limit is kept, and the daemon isn't asked for more than that")
    func limit() async throws {
        let daemon = try ScriptedDaemon { _ in
            .json(Samples.page((1...3).map { Samples.job($0) }, total: 9, next: "3"))
        }
        let result = try await ClientProcess.run([
            "list", "--limit", "2", "--reverse", "--socket", daemon.socketPath,
        ])
        #expect(result.lines.count == 3 && result.errors.isEmpty)
        #expect(daemon.requests.map { $0.query["limit"] } == ["3"])
        #expect(daemon.requests.first?.query["order"] == "newest")
        let json = try await ClientProcess.run([
            "list", "--limit", "2", "--json", "--socket", daemon.socketPath,
        ])
        #expect(json.lines.count == 2)
        for wrong in [["--limit", "0"], ["--limit", "9223372036854775807"], ["--sort", "colour"]] {
            #expect(try await ClientProcess.run(["list"] + wrong).status == 2)
        }
    }

    @Test("On a terminal the first 200 are shown, and said to be; in a narrow window reasons stand below")
    func window() async throws {
        let daemon = try ScriptedDaemon { _ in
            .json(Samples.page((1...201).map { Samples.failedJob($0) }, total: 900, next: "201"))
        }
        let window = try PseudoTerminal(columns: 80, rows: 24)
        let client = try ClientProcess(
            ["list", "--socket", daemon.socketPath],
            environment: ["TERM": "xterm"],
            terminal: window
        )
        let result = await client.result()
        #expect(result.status == 0)
        #expect(result.errors.contains("The first 200 of 900: --limit shows more"), "\(result.errors)")
        let lines = result.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 401 && lines[0].contains("SINCE ADDED") && lines[0].contains("OWN TIME"))
        #expect(lines[2] == "  http_404: The server says 404 for https://example.org/b.jpg")
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("An empty list prints nothing to standard output")
    func empty() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.page([])) }
        let result = try await ClientProcess.run(["list", "--socket", daemon.socketPath])
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors == "facefetch: There are no such jobs.\n")
    }

    @Test("JSON Lines are the API's own jobs")
    func json() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.page([Samples.job(1), Samples.failedJob(2)])) }
        let result = try await ClientProcess.run(["list", "--json", "--socket", daemon.socketPath])
        let jobs = try result.lines.map { try JSONDecoder().decode(JobJSON.self, from: Data($0.utf8)) }
        #expect(jobs == [Samples.job(1), Samples.failedJob(2)])
    }

    @Test("A job's page says why it failed, and where its faces are")
    func show() async throws {
        let daemon = try ScriptedDaemon { request in
            .json(request.path == "/v1/jobs/1" ? Samples.job(1) : Samples.failedJob(2))
        }
        let done = try await ClientProcess.run(["show", "j1", "--socket", daemon.socketPath])
        #expect(done.output.contains("State      done\n"))
        #expect(done.output.contains("Size       1.2 MB (1,234,567 B)\n"))
        #expect(done.output.contains("Picture    4000×3000 pixels, jpeg, orientation 6\n"))
        #expect(done.output.contains("Faces      7 (haar at 960 and 2560 pixels, alt 960, 0.208 s)\n"))
        #expect(done.output.contains("           1: 120×130 at 40,50, confidence 0.93\n"))
        #expect(done.output.contains("Added      2026-11-21 06:45:03\n"))
        var fed = Samples.job(3)
        (fed.source, fed.itemKey) = ("mars", "sol/1")
        fed.meta = MetaJSON(["camera": "FHAZ", "a": "b"])
        let third = fed
        let other = try ScriptedDaemon { _ in .json(third) }
        let shown = try await ClientProcess.run(["show", "3", "--socket", other.socketPath])
        #expect(shown.output.contains("Source     mars, item sol/1\n"))
        #expect(shown.output.contains("Meta       a=b\n           camera=FHAZ\n"))
        let failed = try await ClientProcess.run(["show", "2", "--socket", daemon.socketPath])
        #expect(failed.output.contains("State      failed, http_404: The server says 404 for"))
    }

    @Test("The status reads as sentences about the daemon")
    func status() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.status) }
        let result = try await ClientProcess.run(["status", "--socket", daemon.socketPath])
        #expect(
            result.lines == [
                "Daemon      running for 3 min 5 s, version 0.1.0, at \(daemon.socketPath)",
                "Jobs        5 queued, 2 downloading, 1,234 done",
                "Transfers   2 active, 3.2 MB/s",
                "Detection   open, 1 active, 4 waiting",
                "Engine      haar, OpenCV's cascade; YuNet finds more and invents less: facefetch model install",
                "Free space  12 GB",
            ]
        )
    }

    @Test("Faces are listed from a number on, as a table, as CSV or as JSON")
    func faces() async throws {
        let jobs = [
            Samples.job(1), Samples.job(2, faces: 1, name: "b.jpg"), Samples.job(3, faces: nil),
            Samples.job(4, faces: 2, name: "=x, \"y\".jpg"),
        ]
        let daemon = try ScriptedDaemon { _ in .json(Samples.page(jobs)) }
        let table = try await ClientProcess.run(["faces", "--min", "2", "--socket", daemon.socketPath])
        #expect(
            table.lines == [
                "FACES  JOB  DOCUMENT", "    7  j1   /documents/a.jpg",
                "    2  j4   /documents/=x, \"y\".jpg",
            ]
        )
        let csv = try await ClientProcess.run([
            "faces", "--min", "2", "--csv", "--socket", daemon.socketPath,
        ])
        #expect(
            csv.output == """
                job,faces,name,path,url,sha256,engine\r
                1,7,a.jpg,/documents/a.jpg,https://example.org/a.jpg,,haar\r
                4,2,"'=x, ""y"".jpg","/documents/=x, ""y"".jpg","https://example.org/=x, ""y"".jpg",,haar\r

                """
        )
        let json = try await ClientProcess.run(["faces", "--json", "--socket", daemon.socketPath])
        #expect(json.lines.count == 3)
    }

    @Test("A name that would steer the terminal is escaped in JSON too, and reads back as it was")
    func escapesJSON() async throws {
        let job = Samples.job(1, name: "\u{9b}31m\u{202e}\u{e0041}\u{1b}é.jpg")
        let daemon = try ScriptedDaemon { _ in .json(job) }
        let result = try await ClientProcess.run(["show", "j1", "--json", "--socket", daemon.socketPath])
        #expect(result.output.contains(#"\u009b31m\u202e\udb40\udc41\u001bé.jpg"#))
        #expect(try JSONDecoder().decode(JobJSON.self, from: Data(result.output.utf8)) == job)
    }

    @Test("A name that would steer the terminal is shown escaped")
    func escapes() async throws {
        let daemon = try ScriptedDaemon { _ in
            .json(Samples.page([Samples.job(1, name: "\u{1b}]0;owned\u{7}\u{202e}gpj.exe")]))
        }
        let result = try await ClientProcess.run(["list", "--socket", daemon.socketPath])
        #expect(!result.output.unicodeScalars.contains("\u{1b}"))
        #expect(result.output.contains("\\u{1b}]0;owned\\u{7}\\u{202e}gpj.exe"))
    }
}
