import Foundation
import Glibc
import TestSupport
import Testing

@Suite("facefetch export")
struct ExportTests {
    private static func export(
        _ list: EndedList,
        _ arguments: [String]
    ) async throws -> (result: ClientProcess.Result, requests: [ScriptedDaemon.Request]) {
        let daemon = try list.daemon()
        let result = try await ClientProcess.run(["export", "--socket", daemon.socketPath] + arguments)
        return (result, daemon.requests)
    }

    private static func text(_ directory: TemporaryDirectory, _ name: String) throws -> String {
        String(decoding: try directory.read(name), as: UTF8.self)
    }

    @Test("A table has every job that ended, page by page, and takes the place of an old one")
    func csv() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Array("old".utf8), to: "t.csv")
        chmod(directory.path("t.csv"), 0o640)
        let items = (1...25).map { EndedList.picture($0) } + [EndedList.failed(26)]
        let (result, requests) = try await Self.export(
            EndedList(items, page: 10),
            ["--format", "csv", "--out", directory.path("t.csv")]
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let lines = try Self.text(directory, "t.csv").components(separatedBy: "\r\n")
        #expect(
            lines.count == 28 && lines[1].hasPrefix("1,1,done,counted,1,a.jpg,")
                && lines[26].hasSuffix(",http_404,26,,,,,,")
        )
        #expect(requests.map { $0.query["ended_after"] } == ["0", "10", "20"])
        #expect(requests.allSatisfy { $0.query["ending"] == "done,failed,cancelled" })
        #expect(try directory.names() == ["t.csv"])
        var status = stat()
        #expect(stat(directory.path("t.csv"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test("The filter goes to the daemon")
    func filter() async throws {
        let (result, requests) = try await Self.export(
            EndedList([]),
            [
                "--format", "jsonl", "--out", "-", "--batch", "b3", "--source", "museum", "--min-faces", "2",
                "--match", "a b", "--meta", "album=x=y", "--meta", "k=", "--ended-after", "0",
            ]
        )
        #expect(result.status == 0 && result.output.isEmpty)
        let query = try #require(requests.first?.query)
        #expect(query["batch"] == "3" && query["source"] == "museum" && query["faces_min"] == "2")
        #expect(query["q"] == "a b" && query["meta.album"] == "x=y" && query["meta.k"]?.isEmpty == true)
    }

    @Test("What ends meanwhile is left for the next time, so that no job comes twice")
    func endsMeanwhile() async throws {
        let list = EndedList((1...10).map { EndedList.picture($0) }, page: 4)
        let daemon = try ScriptedDaemon { request in
            let after = Int64(request.query["ended_after"] ?? "0") ?? 0
            defer { list.add(EndedList.picture(100 + after, job: 1)) }
            return list.reply(request)
        }
        let result = try await ClientProcess.run([
            "export", "--socket", daemon.socketPath, "--format", "jsonl", "--out", "-",
        ])
        #expect(result.lines.count == 10)
    }

    @Test(
        "Adding goes on from the last whole line, and what a kill has torn is cut off",
        arguments: ["csv", "jsonl"]
    )
    func append(format: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("t")
        let list = EndedList([EndedList.picture(1, name: "a\"b,.jpg"), EndedList.failed(2)])
        let arguments = ["--format", format, "--out", file, "--append"]
        #expect(try await Self.export(list, arguments).result.status == 0)
        let before = try Self.text(directory, "t")
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("3,1,\"torn\r\n".utf8.prefix(format == "csv" ? 100 : 7)))
        try handle.close()
        list.add(EndedList.picture(3))
        let (result, requests) = try await Self.export(list, arguments)
        #expect(result.status == 0, "\(result.errors)")
        #expect(requests.first?.query["ended_after"] == "2")
        let after = try Self.text(directory, "t")
        #expect(after.hasPrefix(before) && !after.contains("torn"))
        let lines = after.split(whereSeparator: \.isNewline)
        #expect(lines.count == (format == "csv" ? 4 : 3))
        #expect(try await Self.export(list, arguments).result.status == 0)
        #expect(try Self.text(directory, "t") == after)
    }

    @Test("Nothing is added to a file that is none of ours, or of another daemon's jobs")
    func foreignFile() async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList([EndedList.picture(1)])
        for (format, text) in [("csv", "a,b\r\n1,2\r\n"), ("csv", "x"), ("jsonl", "{}\n"), ("jsonl", "x")] {
            try directory.write(Array(text.utf8), to: "t")
            let result = try await Self.export(
                list,
                ["--format", format, "--out", directory.path("t"), "--append"]
            ).result
            #expect(result.status == 2 && result.errors.contains("nothing can be added to it"))
            #expect(try Self.text(directory, "t") == text)
        }
        try directory.write(Array((EndedList.picture(50).json + "\n").utf8), to: "t")
        let result = try await Self.export(
            list,
            ["--format", "jsonl", "--out", directory.path("t"), "--append"]
        ).result
        #expect(result.status == 1 && result.errors.contains("other jobs"))
    }

    @Test("Lines with boxes of the upright picture get none of the stored one behind them")
    func otherCoordinates() async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList([EndedList.picture(1)])
        let arguments = ["--format", "jsonl", "--out", directory.path("t"), "--append", "--coordinates"]
        #expect(try await Self.export(list, arguments + ["stored"]).result.status == 0)
        list.add(EndedList.picture(2))
        let before = try Self.text(directory, "t")
        let result = try await Self.export(list, arguments + ["upright"]).result
        #expect(result.status == 2 && result.errors.contains("with --coordinates stored"), "\(result)")
        #expect(try Self.text(directory, "t") == before)
        #expect(try await Self.export(list, arguments + ["stored"]).result.status == 0)
    }

    @Test("A batch or source that doesn't exist leaves the old file as it is")
    func stranger() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Array("old".utf8), to: "t")
        let list = EndedList([])
        let daemon = try ScriptedDaemon { request in
            request.path == "/v1/jobs" ? list.reply(request) : .problem(404, "no_such_batch", "there is none")
        }
        for filter in [["--batch", "99"], ["--source", "nope"]] {
            let result = try await ClientProcess.run(
                ["export", "--socket", daemon.socketPath, "--format", "csv", "--out", directory.path("t")]
                    + filter
            )
            #expect(result.status == 1 && result.errors.contains("There is none"), "\(result)")
            #expect(try directory.names() == ["t"] && Self.text(directory, "t") == "old")
        }
    }

    @Test("Rows behind a stray quote are never cut off: they may be of jobs that are forgotten by now")
    func strayQuote() async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList((1...4).map { EndedList.picture($0) })
        let arguments = ["--format", "csv", "--out", directory.path("t"), "--append"]
        #expect(try await Self.export(list, arguments).result.status == 0)
        let edited = try Self.text(directory, "t").replacing("2,1,done", with: "2,1,\"done")
        try directory.write(Array(edited.utf8), to: "t")
        let (result, requests) = try await Self.export(list, arguments)
        #expect(result.status == 2 && result.errors.contains("a quote that doesn't end"), "\(result)")
        #expect(try requests.isEmpty && Self.text(directory, "t") == edited)
    }

    @Test("When the daemon goes away in the middle, the old file stays and nothing is left lying about")
    func failure() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Array("old".utf8), to: "t")
        let list = EndedList((1...10).map { EndedList.picture($0) }, page: 4)
        let daemon = try ScriptedDaemon { request in
            request.query["ended_after"] == "4" ? .hangUp : list.reply(request)
        }
        for format in ["csv", "coco", "label-studio"] {
            let result = try await ClientProcess.run([
                "export", "--socket", daemon.socketPath, "--format", format, "--out", directory.path("t"),
            ])
            #expect(result.status == 3)
            #expect(try directory.names() == ["t"] && Self.text(directory, "t") == "old")
        }
        for format in ["yolo", "webdataset"] {
            let result = try await ClientProcess.run([
                "export", "--socket", daemon.socketPath, "--format", format, "--out", directory.path("f"),
            ])
            #expect(result.status == 3)
            #expect(try directory.names() == ["t"])
        }
    }

    @Test("A page is asked for once more where the daemon has ended the connection meanwhile")
    func lostAhead() async throws {
        let list = EndedList((1...10).map { EndedList.picture($0) }, page: 4)
        let counter = Counter()
        let daemon = try ScriptedDaemon { [2, 4].contains(counter.next()) ? .hangUp : list.reply($0) }
        let result = try await ClientProcess.run([
            "export", "--socket", daemon.socketPath, "--format", "jsonl", "--out", "-",
        ])
        #expect(result.status == 0 && result.lines.count == 10, "\(result)")
        #expect(daemon.requests.map { $0.query["ended_after"] } == ["0", "4", "4", "8", "8"])
    }

    @Test("The next page is under way while this one is written", .timeLimit(.minutes(1)))
    func readsAhead() async throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.path("out")
        #expect(mkfifo(fifo, 0o600) == 0)
        // More than is kept, and more than a pipe holds, so that writing the first page waits for a reader.
        let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""
        let list = EndedList((1...3).map { EndedList.picture($0, meta: "{\"k\":\(large)}") }, page: 1)
        let daemon = try list.daemon()
        let process = try ClientProcess([
            "export", "--socket", daemon.socketPath, "--format", "jsonl", "--out", fifo,
        ])
        let reader = open(fifo, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        try await waitWhile { daemon.requests.count < 2 }
        #expect(daemon.requests.map { $0.query["ended_after"] } == ["0", "1"])
        let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: false)
        let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 3)
        #expect(await process.result().status == 0)
    }

    @Test(
        "A pipe without a reader is waited for, which is said, and Ctrl-C ends that",
        .timeLimit(.minutes(1))
    )
    func pipe() async throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.path("out")
        #expect(mkfifo(fifo, 0o600) == 0)
        let daemon = try EndedList([EndedList.picture(1)]).daemon()
        let arguments = ["export", "--socket", daemon.socketPath, "--format", "csv", "--out", fifo]
        let first = try ClientProcess(arguments)
        #expect(await first.errors.contains("out is a pipe that nobody reads yet: waiting for a reader…"))
        kill(first.pid, SIGINT)
        let result = await first.result()
        #expect(result.wasKilled && result.status == SIGINT)

        let second = try ClientProcess(arguments)
        #expect(await second.errors.contains("waiting for a reader…"))
        let text = try FileHandle(forReadingFrom: URL(fileURLWithPath: fifo)).readToEnd() ?? Data()
        #expect(String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n").count == 3)
        #expect(await second.result().status == 0)
        #expect(try directory.names() == ["out"])
    }

    @Test("Ctrl-C ends an export into a pipe that is full", .timeLimit(.minutes(1)))
    func fullPipe() async throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.path("out")
        #expect(mkfifo(fifo, 0o600) == 0)
        let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""
        let daemon = try EndedList((1...3).map { EndedList.picture($0, meta: "{\"k\":\(large)}") }, page: 1)
            .daemon()
        let process = try ClientProcess([
            "export", "--socket", daemon.socketPath, "--format", "jsonl", "--out", fifo,
        ])
        let reader = open(fifo, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        // The first page is more than is kept, and more than the pipe holds.
        try await waitWhile { daemon.requests.count < 2 }
        kill(process.pid, SIGINT)
        let result = await process.result()
        #expect(result.wasKilled && result.status == SIGINT)
    }

    @Test("Adding says what was forgotten since the last time, and nothing else does")
    func forgotten() async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList((1...4).map { EndedList.picture($0) }, page: 3)
        let arguments = ["--format", "csv", "--out", directory.path("t"), "--append"]
        list.forget(through: 2)
        let first = try await Self.export(list, arguments).result
        #expect(first.status == 0 && first.errors.isEmpty, "what there is")
        list.forget(through: 4)
        list.add(EndedList.picture(5))
        #expect(try await Self.export(list, arguments).result.errors.isEmpty, "all of it was there")
        list.add(EndedList.picture(7))
        list.forget(through: 6)
        let filtered = try await Self.export(
            list,
            ["--format", "csv", "--out", "-"] + ["--ended-after", "5"] + ["--match", "x"]
        )
        #expect(filtered.result.errors.isEmpty, "it may all have been of others")
        let gap = try await Self.export(list, arguments).result
        #expect(gap.status == 0)
        #expect(
            gap.errors
                == "facefetch: Jobs that ended up to number 6 were forgotten, and may be missing here.\n"
        )
    }

    @Test(
        "What an export has left that was killed goes with the next one to the same place, and nothing else",
        arguments: ["csv", "yolo", "voc", "imagefolder", "bagit"]
    )
    func leftovers(format: String) async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList((1...10).map { EndedList.picture($0) }, page: 4)
        // The second page never comes.
        let daemon = try ScriptedDaemon { request in
            request.query["ended_after"] == "0" ? list.reply(request) : .events([], then: .staysOpen)
        }
        let arguments = ["--format", format, "--out", directory.path("t")]
        let killed = try ClientProcess(["export", "--socket", daemon.socketPath] + arguments)
        let left = ".t.facefetch-\(killed.pid)"
        try await waitWhile { daemon.requests.count < 2 }
        #expect(try directory.names() == [left])
        // While it runs, another leaves it alone.
        #expect(try await Self.export(list, arguments).result.status == 0)
        #expect(try directory.names() == [left, "t"])
        if format != "csv" { try FileManager.default.removeItem(atPath: directory.path("t")) }
        kill(killed.pid, SIGKILL)
        _ = await killed.result()

        // Somebody holds this one, where its process isn't known.
        let held = try directory.write([], to: left + "-1")
        let holder = open(held, O_RDONLY | O_CLOEXEC)
        defer { close(holder) }
        #expect(flock(holder, LOCK_EX) == 0)
        let others = [
            ".t.facefetch-1", ".t.facefetch-", ".t.facefetch-\(killed.pid)x", ".t.facefetch-\(killed.pid)-",
            ".tt.facefetch-\(killed.pid)", "t.facefetch-\(killed.pid)",
        ]
        for name in others { try directory.write([], to: name) }
        symlink(directory.path(".t.facefetch-1"), directory.path(left + "-2"))
        // What somebody has given such a name is nobody's leftover.
        _ = try directory.directory(left + "-3")
        try directory.write([1], to: left + "-3/kept.jpg")
        try directory.write([1], to: left + "-4")
        #expect(try await Self.export(list, arguments).result.status == 0)
        #expect(Set(try directory.names()) == Set(others + (1...4).map { "\(left)-\($0)" } + ["t"]))
        #expect(try directory.read(left + "-3/kept.jpg") == [1])
    }

    @Test(
        "Nothing in a row steers the terminal that it is written to, and a file gets it as it is",
        arguments: ["csv", "jsonl"]
    )
    func steering(format: String) async throws {
        let directory = try TemporaryDirectory()
        let name = "a\u{202E}gpj\u{9B}31m.exe"
        let list = EndedList([EndedList.picture(1, name: name)])
        let daemon = try list.daemon()
        let window = try PseudoTerminal()
        let arguments = ["export", "--socket", daemon.socketPath, "--format", format, "--out"]
        let process = try ClientProcess(arguments + ["-"], terminal: window)
        #expect(await process.result().status == 0)
        let shown = window.transcript.text
        #expect(shown.contains("a\\u202egpj\\u009b31m.exe"), "\(shown)")
        #expect(!shown.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{9B}" })
        #expect(try await ClientProcess.run(arguments + [directory.path("t")]).status == 0)
        #expect(try Self.text(directory, "t").contains(name))
    }

    @Test("On a terminal, a line says how far it is, and is gone in the end", .timeLimit(.minutes(1)))
    func progress() async throws {
        let directory = try TemporaryDirectory()
        let window = try PseudoTerminal()
        // As many pages as it takes.
        let daemon = try ScriptedDaemon { request in
            let number = (Int64(request.query["ended_after"] ?? "") ?? 0) + 1
            let isLast = window.transcript.text.contains(" jobs in ")
            let text = """
                {"has_more":\(!isLast),"items":[\(EndedList.picture(number).json)],"newest":1000000000,\
                "next":\(isLast ? "null" : "\"\(number)\""),"oldest":0,"total":2}
                """
            return .whole(status: 200, type: "application/json", body: Data(text.utf8))
        }
        let process = try ClientProcess(
            ["export", "--socket", daemon.socketPath, "--format", "csv", "--out", directory.path("t")],
            terminal: window,
            errorsToo: true
        )
        #expect(await process.result().status == 0)
        #expect(window.transcript.text.hasSuffix("\r\u{1b}[K"), "\(window.transcript.text)")
        #expect(try Self.text(directory, "t").contains("1,1,done,counted,1,a.jpg,"))
    }

    @Test("What has no size is named and left out, with status 0")
    func leftOut() async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList([EndedList.picture(1, size: nil), EndedList.picture(2)])
        let result = try await Self.export(
            list,
            ["--format", "wider", "--out", directory.path("t")]
        ).result
        #expect(result.status == 0)
        #expect(result.errors.contains("j1, \"a.jpg\", is left out: the size of the picture is not known"))
        #expect(try Self.text(directory, "t") == "a.jpg\n1\n10 20 30 40 0 0 0 0 0 0\n")
    }

    @Test("YOLO's folder has links and labels; a second file of one stem gets a name of its own")
    func yolo() async throws {
        let directory = try TemporaryDirectory()
        let items = try ["a.jpg", "a.png", "b.jpg"].enumerated().map { number, name in
            let path = try directory.write(Array("picture".utf8), to: name)
            return EndedList.picture(
                Int64(number + 1),
                name: name,
                path: path,
                bytes: 7,
                faces: number == 2 ? [] : [[0, 0, 4, 3]]
            )
        }
        let gone = EndedList.picture(4, name: "c.jpg", bytes: 7)
        let folder = directory.path("set")
        let result = try await Self.export(
            EndedList(items + [gone]),
            ["--format", "yolo", "--out", folder]
        ).result
        #expect(
            result.status == 0 && result.errors.contains("j4, \"c.jpg\", is left out: its document can't")
        )
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder + $0).sorted() }
        #expect(try names("") == ["classes.txt", "data.yaml", "images", "labels"])
        #expect(try names("/images") == ["a-j2.png", "a.jpg", "b.jpg"])
        #expect(try names("/labels") == ["a-j2.txt", "a.txt", "b.txt"])
        #expect(try Self.text(directory, "set/labels/b.txt").isEmpty)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/images/a.jpg")
                == directory.path("a.jpg")
        )
        let again = try await Self.export(EndedList(items), ["--format", "yolo", "--out", folder]).result
        #expect(again.status == 2 && again.errors.contains("there already"))
    }

    @Test("YOLO's pictures have names that fit, with the extensions of pictures")
    func longNames() async throws {
        let directory = try TemporaryDirectory()
        let long = String(repeating: "q", count: 248)
        // The first two have one stem, and the longest extension makes a name with the job's number too long.
        let other = "a." + String(repeating: "p", count: 250)
        let names = [long + ".jpg", long + ".jpeg", "noext", "x.xmp", other]
        let items = try names.enumerated().map { number, name in
            let path = try directory.write(Array("picture".utf8), to: name)
            return EndedList.picture(Int64(number + 1), name: name, path: path, bytes: 7)
        }
        let result = try await Self.export(
            EndedList(items),
            ["--format", "yolo", "--out", directory.path("set")]
        ).result
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        let images = try FileManager.default.contentsOfDirectory(atPath: directory.path("set/images"))
        #expect(images.sorted() == ["a.jpg", "j2.jpeg", "noext.jpg", long + ".jpg", "x.jpg"])
    }

    @Test("Sidecars of others are never touched, ours are rewritten while nobody has changed them")
    func sidecars() async throws {
        let directory = try TemporaryDirectory()
        func picture(
            _ number: Int64,
            _ name: String,
            faces: [[Int]] = [[1, 2, 3, 4]],
            bytes: String = "picture"
        ) throws
            -> EndedList.Item
        {
            let path = try directory.write(Array(bytes.utf8), to: name)
            return EndedList.picture(number, name: name, path: path, bytes: bytes.utf8.count, faces: faces)
        }
        try directory.write(Array("theirs".utf8), to: "b.jpg.xmp")
        try directory.write(Array("theirs".utf8), to: "c.xmp")
        let tagged = "..http://www.metadataworkinggroup.com/schemas/regions/.."
        let items = try [
            picture(1, "a.jpg"), picture(2, "b.jpg"), picture(3, "c.jpg"), picture(4, "d.jpg", faces: []),
            picture(5, "e.jpg", bytes: tagged),
        ]
        let result = try await Self.export(EndedList(items), ["--format", "xmp"]).result
        #expect(result.status == 0)
        #expect(
            result.errors.contains("b.jpg.xmp was written") && result.errors.contains("c.xmp was written")
        )
        #expect(result.errors.contains("j5, \"e.jpg\", is left out: the picture has regions of its own"))
        let sidecars = try directory.names().filter { $0.hasSuffix(".xmp") }
        #expect(sidecars == ["a.jpg.xmp", "b.jpg.xmp", "c.xmp"])
        #expect(try Self.text(directory, "b.jpg.xmp") == "theirs")
        let first = try Self.text(directory, "a.jpg.xmp")
        let moved = try EndedList([picture(6, "a.jpg", faces: [[9, 9, 9, 9]])])
        #expect(try await Self.export(moved, ["--format", "xmp"]).result.errors.isEmpty)
        let second = try Self.text(directory, "a.jpg.xmp")
        #expect(first != second)
        try directory.write(Array((second + " ").utf8), to: "a.jpg.xmp")
        #expect(
            try await Self.export(EndedList(items), ["--format", "xmp"]).result.errors.contains(
                "a.jpg.xmp was"
            )
        )
        #expect(try Self.text(directory, "a.jpg.xmp") == second + " ")
    }

    @Test("What a kill has left of a sidecar goes with the next export beside it, and nothing else")
    func sidecarLeftovers() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("pixels".utf8), to: "a.jpg")
        let list = EndedList([EndedList.picture(1, name: "a.jpg", path: path, bytes: 6)])
        // A process that is over, and one that runs.
        let process = try ClientProcess(["--version"])
        _ = await process.result()
        let over = process.pid
        let names = ["\(over)", "\(getpid())", "\(over)x", ""].map { ".facefetch-sidecar-" + $0 }
        for name in names { try directory.write([], to: name) }
        try directory.write(Array("<?xpacket begin=".utf8), to: ".facefetch-sidecar-\(over)-1")
        let kept = ".facefetch-sidecar-\(over)-2"
        try directory.write(Array("somebody's".utf8), to: kept)
        #expect(try await Self.export(list, ["--format", "xmp"]).result.status == 0)
        #expect(Set(try directory.names()) == Set(names.dropFirst() + [kept, "a.jpg", "a.jpg.xmp"]))
    }

    @Test("A sidecar of ours that was downloaded with its picture stays as it is, whatever is found in that")
    func mirroredSidecar() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("pixels".utf8), to: "a.jpg")
        func picture(_ number: Int64, faces: [[Int]]) -> EndedList.Item {
            EndedList.picture(number, name: "a.jpg", path: path, bytes: 6, faces: faces)
        }
        let first = EndedList([picture(1, faces: [[1, 2, 3, 4]])])
        #expect(try await Self.export(first, ["--format", "xmp"]).result.status == 0)
        let theirs = try Self.text(directory, "a.jpg.xmp")
        var job = Samples.job(2, faces: nil, name: "a.jpg.xmp")
        job.path = directory.path("a.jpg.xmp")
        let json = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
        let document = EndedList.Item(ended: 2, ending: "cancelled", json: json)
        for (faces, words) in [([[9, 9, 9, 9]], "a.jpg.xmp was downloaded"), ([], "")] as [([[Int]], String)]
        {
            let list = EndedList([picture(3, faces: faces), document])
            let result = try await Self.export(list, ["--format", "xmp"]).result
            #expect(result.status == 0 && (words.isEmpty || result.errors.contains(words)), "\(result)")
            #expect(try Self.text(directory, "a.jpg.xmp") == theirs)
        }
    }

    @Test(
        "Bad usage ends with 2, and nothing is asked or written",
        arguments: [
            ["--format", "csv"], ["--format", "coco", "--out", "-"], ["--format", "csv", "--out", "/tmp"],
            ["--format", "wider", "--out", "x", "--append"], ["--format", "jsonl", "--out", "x", "--raw"],
            ["--format", "csv", "--out", "-", "--append"], ["--format", "xml", "--out", "x"],
            ["--format", "csv", "--out", "x", "--meta", "x"],
            ["--format", "xmp", "--coordinates", "upright"],
            ["--format", "imagefolder", "--out", "x", "--coordinates", "stored"],
            ["--format", "bagit", "--out", "-"], ["--format", "voc"],
            ["--format", "coco", "--out", "x", "--copy"],
            ["--format", "csv", "--out", "x", "--append", "--ended-after", "1"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let (result, requests) = try await Self.export(EndedList([]), arguments)
        #expect(result.status == 2 && !result.errors.isEmpty && requests.isEmpty)
    }
}
