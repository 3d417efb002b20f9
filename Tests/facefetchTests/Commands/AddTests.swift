import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("facefetch add")
struct AddTests {
    @Test("Posts all URLs as one batch, and says what they are called now")
    func posts() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let result = try await ClientProcess.run([
            "add", "http://h/a.jpg", "http://h/b.jpg", "--priority", "-5", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        #expect(
            result.output
                == "Added 2 files as batch b1, jobs j1 to j2. Follow with: facefetch log -f --batch b1\n"
        )
        let request = try #require(daemon.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/v1/batches")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["idempotency-key"]?.isEmpty == false)
        let batch = try JSONDecoder().decode(BatchRequest.self, from: request.body)
        #expect(batch.items.map(\.url) == ["http://h/a.jpg", "http://h/b.jpg"])
        #expect(batch.items.map(\.priority) == [-5, -5])
    }

    @Test("Header fields, from the command line and a file, and a rate go with every URL")
    func headers() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let directory = try TemporaryDirectory()
        let file = try directory.write(Array("# mine\nAuthorization: Bearer a:b\n\n".utf8), to: "fields")
        let result = try await ClientProcess.run([
            "add", "http://h/a.jpg", "http://h/b.jpg", "--header", "X-A:1", "--header", "@\(file)",
            "--rate-limit", "2k", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let batch = try JSONDecoder().decode(
            BatchRequest.self,
            from: try #require(daemon.requests.first).body
        )
        #expect(
            batch.items.map(\.headers)
                == Array(repeating: ["X-A": "1", "Authorization": "Bearer a:b"], count: 2)
        )
        #expect(batch.items.map(\.rateLimit) == [2048, 2048])
    }

    @Test("Of a file of cookies, each URL gets those that are for it")
    func cookies() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2, 3]), status: 201) }
        let directory = try TemporaryDirectory()
        let text = """
            # Netscape HTTP Cookie File
            .h.example\tTRUE\t/\tFALSE\t0\ta\t1
            h.example\tFALSE\t/p\tTRUE\t4000000000\tb\t2
            h.example\tFALSE\t/\tFALSE\t1000\told\t3
            """
        let file = try directory.write(Array(text.utf8), to: "cookies.txt")
        let result = try await ClientProcess.run([
            "add", "https://h.example/p/a.jpg", "http://www.h.example/b.jpg", "http://other.example/c.jpg",
            "--cookies", file, "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let body = try #require(daemon.requests.first).body
        let batch = try JSONDecoder().decode(BatchRequest.self, from: body)
        #expect(batch.items.map(\.cookies) == ["b=2; a=1", "a=1", nil])
    }

    @Test("A file that holds no cookies is refused with its line, and nothing is asked")
    func badCookies() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Array("# c\nh\tTRUE\tSECRET\n".utf8), to: "cookies.txt")
        for (path, words) in [
            (file, "line 2: this is no cookie"), (directory.path("none"), "can't be opened"),
        ] {
            let result = try await ClientProcess.run(["add", "http://h/a.jpg", "--cookies", path])
            #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
            #expect(!result.errors.contains("SECRET"))
        }
    }

    @Test("What is to be known of the files goes with every URL")
    func meta() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let result = try await ClientProcess.run([
            "add", "http://h/a.jpg", "http://h/b.jpg", "--meta", "album=a=b", "--meta", "-n=",
            "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let body = try #require(daemon.requests.first).body
        let batch = try JSONDecoder().decode(BatchRequest.self, from: body)
        #expect(batch.items.map { $0.meta?.text } == Array(repeating: #"{"-n":"","album":"a=b"}"#, count: 2))
        for wrong in [["--meta", "album"], ["--meta", "=b"], ["--meta", "a=1", "--meta", "a=2"]] {
            #expect(try await ClientProcess.run(["add", "http://h/a.jpg"] + wrong).status == 2)
        }
    }

    @Test(
        "What is no header field or no rate is bad usage, and no value is repeated",
        arguments: [
            ["--header", "s3cret"], ["--header", ": s3cret"], ["--header", "X: s3cret", "--header", "x: b"],
            ["--header", "@/no/such/file"], ["--rate-limit", "0"], ["--rate-limit", "fast"],
        ]
    )
    func badHeaders(options: [String]) async throws {
        let result = try await ClientProcess.run(["add", "http://h/a.jpg"] + options)
        #expect(result.status == 2)
        #expect(!result.errors.isEmpty && !result.errors.contains("s3cret"))
    }

    @Test("Reads a list from standard input, without its comments and blank lines")
    func readsInput() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let result = try await ClientProcess.run(
            ["add", "--from", "-", "--json", "--socket", daemon.socketPath],
            input: "# pictures\nhttp://h/a.jpg\r\n\n  http://h/b.jpg  \n"
        )
        #expect(result.status == 0)
        let answer = try JSONDecoder().decode(BatchJSON.self, from: Data(result.output.utf8))
        #expect(answer == Samples.batch([1, 2]))
        let request = try #require(daemon.requests.first)
        let batch = try JSONDecoder().decode(BatchRequest.self, from: request.body)
        #expect(batch.items.map(\.url) == ["http://h/a.jpg", "http://h/b.jpg"])
    }

    @Test("Names every refused item by its place and URL, and ends with 2")
    func refused() async throws {
        let daemon = try ScriptedDaemon { _ in
            .problem(
                422,
                "invalid_items",
                "Two items are bad",
                errors: [
                    .init(index: 0, field: "url", reason: "The scheme must be http or https"),
                    .init(index: 2, field: "url", reason: "This is no URL."),
                ]
            )
        }
        let result = try await ClientProcess.run(
            ["add", "ftp://h/a", "--from", "-", "--socket", daemon.socketPath],
            input: "http://h/b\n\n::\u{1b}[31m::\n"
        )
        #expect(result.status == 2)
        #expect(
            result.errors == """
                facefetch: argument 1, "ftp://h/a", is refused: The scheme must be http or https.
                standard input line 3, "::\\u{1b}[31m::", is refused: This is no URL. \
                Nothing was added: correct or remove it, and add again.

                """
        )
    }

    @Test("A post whose answer was lost is sent again with the same key")
    func repeats() async throws {
        let answers = Counter()
        let daemon = try ScriptedDaemon { _ in
            answers.next() == 1 ? .hangUp : .json(Samples.batch([1]), status: 201)
        }
        let result = try await ClientProcess.run(["add", "http://h/a.jpg", "--socket", daemon.socketPath])
        #expect(result.status == 0)
        let keys = daemon.requests.map { $0.headers["idempotency-key"] }
        #expect(keys.count == 2)
        #expect(keys.first == keys.last)
    }

    @Test("What is no list is refused before all of it is read")
    func noList() async throws {
        let directory = try TemporaryDirectory()
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + Array(repeating: 0x0A, count: 4 << 20)
        let file = try directory.write(picture, to: "a.jpg")
        let result = try await ClientProcess.run(["add", "--from", file, "--socket", "/nowhere"])
        #expect(
            result.status == 2 && result.errors.contains("a.jpg is no list: it has bytes that no text has")
        )
    }

    @Test("A list in UTF-16 is read, and names behind tabs go with their URLs")
    func utf16() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let directory = try TemporaryDirectory()
        let text = "\u{FEFF}http://h/a\tein Bild.jpg\r\nhttp://h/b\r\n"
        let bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let file = try directory.write(bytes, to: "list.txt")
        let result = try await ClientProcess.run(["add", "--from", file, "--socket", daemon.socketPath])
        #expect(result.status == 0, "\(result.errors)")
        let batch = try JSONDecoder().decode(
            BatchRequest.self,
            from: try #require(daemon.requests.first).body
        )
        #expect(batch.items.map(\.url) == ["http://h/a", "http://h/b"])
        #expect(batch.items.map(\.name) == ["ein Bild.jpg", nil])
    }

    @Test("Adds 100,000 URLs in one request, and one more in another")
    func many() async throws {
        let daemon = try ScriptedDaemon { request in
            let count = (try? JSONDecoder().decode(BatchRequest.self, from: request.body).items.count) ?? 0
            return .json(Samples.batch(Array(1...Int64(max(1, count)))), status: 201)
        }
        let list = (1...100_000).map { "http://127.0.0.1:8080/pictures/\($0).jpg\n" }.joined()
        let result = try await ClientProcess.run(
            ["add", "--from", "-", "--socket", daemon.socketPath],
            input: list
        )
        #expect(result.output.hasPrefix("Added 100,000 files as batch b1, jobs j1 to j100000."))
        let more = try await ClientProcess.run(
            ["add", "http://h/a", "--from", "-", "--socket", daemon.socketPath],
            input: list
        )
        #expect(more.status == 0)
        #expect(more.lines.map { $0.prefix(12) } == ["Added 100,00", "Added 1 file"])
    }

    @Test(
        "A list that was cut off is posted under the same key when it is added again, and then under another"
    )
    func cutOff() async throws {
        let answers = Mutex([507, 201, 201])
        let directory = try TemporaryDirectory()
        let daemon = try ScriptedDaemon { _ in
            let status = answers.withLock { $0.isEmpty ? 500 : $0.removeFirst() }
            guard status == 201 else {
                let problem = ProblemJSON(.outOfSpace, "the disk is full")
                return .json(problem, status: 507)
            }
            return .json(Samples.batch([1, 2]), status: 201)
        }
        for (name, text) in [
            ("list.txt", "http://h/a.jpg\nhttp://h/b.jpg\n"),
            ("list.csv", "url\nhttp://h/a.jpg\nhttp://h/c.jpg\n"),
        ] {
            answers.withLock { $0 = [507, 201, 201] }
            let before = daemon.requests.count
            let list = try directory.write(Array(text.utf8), to: name)
            var results: [ClientProcess.Result] = []
            for _ in 0..<3 {
                results.append(
                    try await ClientProcess.run(
                        ["add", "--from", list, "--socket", daemon.socketPath],
                        environment: ["XDG_STATE_HOME": directory.path("state")]
                    )
                )
            }
            #expect(results.map(\.status) == [1, 0, 0], "\(results.map(\.errors))")
            #expect(results[1].errors.contains("cut off before") && results[2].errors.isEmpty)
            let keys = daemon.requests[before...].compactMap { $0.headers["idempotency-key"] }
            #expect(keys.count == 3 && keys[0] == keys[1] && keys[1] != keys[2], "\(keys)")
        }
        let left = try FileManager.default.contentsOfDirectory(
            atPath: directory.path("state/facefetch/adding")
        )
        #expect(left.isEmpty)
    }

    @Test("A daemon that waits before it starts is waited for with --wait, and else that is said")
    func daemonThatWaits() async throws {
        let posts = Counter()
        let daemon = try ScriptedDaemon { request in
            switch request.path {
            case "/v1/batches" where request.method == "POST":
                return posts.next() < 4
                    ? .problem(
                        503,
                        "busy",
                        "the daemon waits before it starts: the disk is full; try again after that"
                    )
                    : .json(Samples.batch([1]), status: 201)
            case "/v1/events":
                return .events(Samples.story().map { Samples.piece($0) }, then: .staysOpen)
            default: return .json(Samples.page([Samples.job(1)]))
            }
        }
        let arguments = ["add", "http://h/a.jpg", "--socket", daemon.socketPath]
        let refused = try await ClientProcess.run(arguments)
        #expect(refused.status == 3 && refused.output.isEmpty)
        #expect(
            refused.errors == """
                facefetch: The daemon waits before it starts: the disk is full; try again after that. With --wait it \
                is added as soon as the daemon takes it.

                """
        )
        let waited = try await ClientProcess.run(arguments + ["--wait"])
        #expect(waited.status == 0, "\(waited.errors)")
        #expect(waited.errors.contains("Trying until then; Ctrl-C gives it up."))
        #expect(waited.errors.split(separator: "\n").count == 1)
        let keys = daemon.requests.filter { $0.method == "POST" }.compactMap { $0.headers["idempotency-key"] }
        #expect(keys.count == 4 && keys[0] != keys[1] && Set(keys[1...]).count == 1)
    }

    @Test(
        "Where nothing can be remembered, and for URLs that are given by themselves, each add is one of its own"
    )
    func nothingRemembered() async throws {
        let daemon = try ScriptedDaemon { _ in
            .json(ProblemJSON(.outOfSpace, "the disk is full"), status: 507)
        }
        let directory = try TemporaryDirectory()
        let list = try directory.write(Array("http://h/a.jpg\n".utf8), to: "list.txt")
        let file = try directory.write([], to: "file")
        for _ in 0..<2 {
            let what = ["add", "--from", list, "--socket", daemon.socketPath]
            #expect(try await ClientProcess.run(what).status == 1)
            #expect(try await ClientProcess.run(what, environment: ["XDG_STATE_HOME": file]).status == 1)
            let given = ["add", "http://h/a.jpg", "--socket", daemon.socketPath]
            #expect(
                try await ClientProcess.run(given, environment: ["XDG_STATE_HOME": directory.path("s")])
                    .status == 1
            )
        }
        #expect(Set(daemon.requests.compactMap { $0.headers["idempotency-key"] }).count == 6)
    }
}
