import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Secrets of recipes: where they go, and where they are never found.
struct SecretTests {
    /// Every secret has this in it, however it is encoded.
    private static let mark = "S3CR3T"
    private static let secrets = [
        "query": "\(mark)/q+=&é", "path": "\(mark) p", "field": "\(mark)\"f\\", "short": mark,
    ]

    /// The source's own server, which repeats all that it was sent, and another one.
    private struct Servers {
        let own: Origin
        let other: Origin
        let gate = OriginGate()

        init() throws {
            let (own, other) = (try Origin.start(), try Origin.start())
            (self.own, self.other) = (own, other)
            let gate = gate
            other.serveOthers { request in
                request.path.hasSuffix(".jpg")
                    ? OriginFile([1, 2, 3]).answer(to: request) : ListOrigin.json(["items": [Any]()])
            }
            own.serveOthers { request in
                if request.target.hasSuffix(".jpg") { return OriginFile([1, 2]).answer(to: request) }
                let said = request.target + " " + (request.header("x-key") ?? "")
                if request.path == "/parts" { return ListOrigin.json(["parts": ["a"]]) }
                if request.path == "/part/a" { return ListOrigin.json(["items": [["src": "/part.jpg"]]]) }
                if request.path.hasSuffix("/wrong") {
                    return ListOrigin.json(["error": "wrong key: \(said)", "items": said])
                }
                switch ListOrigin.parameter("page", of: request) {
                case "2": return .redirect(other.url("/list")).held(by: gate)
                default:
                    let sources = ["p/1.jpg", own.url(request.target + "&x=/2.jpg"), other.url("/3.jpg")]
                    return ListOrigin.json([
                        "items": sources.enumerated().map { index, source in
                            ["id": index, "src": source, "self": said, "name": "\(index) \(said).jpg"]
                                as [String: Any]
                        }, "next": own.url(request.target + "&page=2"),
                    ])
                }
            }
        }

        func stop() {
            gate.open()
            own.stop()
            other.stop()
        }
    }

    private static func recipe(_ name: String, _ list: String, _ origin: Origin) -> String {
        """
        name: \(name)
        url: "\(origin.url("/{path}/\(list)"))?api_key={query}"
        vars: {path: {secret: path}, query: {secret: query}, unused: {secret: short}}
        headers: {x-key: {secret: field}, x-both: "{query}"}
        items: .items[]
        job: {url: .src, key: .id, name: .name, meta: {self: .self}}
        next: .next
        every: never
        """
    }

    /// A list of parts, where the secrets are in header fields only.
    private static func parts(_ origin: Origin) -> String {
        """
        name: parts
        url: "\(origin.url("/part/{part}"))"
        headers: {x-key: {secret: field}, x-both: {secret: query}}
        slices: {url: "\(origin.url("/parts"))", each: ".parts[]", vars: {part: .}}
        items: .items[]
        job: {url: .src}
        every: never
        """
    }

    @Test(
        "Secrets go to the source's own origin only, and are in no file, no answer, no line and no argument"
    )
    func nowhere() async throws {
        let servers = try Servers()
        defer { servers.stop() }
        let installation = try Installation()
        // Not among what is searched.
        let folder = try TemporaryDirectory()
        for (name, text) in Self.secrets { try folder.write(Array((text + "\n").utf8), to: name) }
        let more = ["FACEFETCH_SECRETS_DIRECTORY": folder.path]
        let daemon = try await installation.startDaemon(environment: Installation.plain.merging(more) { $1 })
        try await installation.addSource(Self.recipe("good", "list", servers.own), "good")
        try await installation.addSource(Self.recipe("wrong", "wrong", servers.own), "wrong")
        try await installation.addSource(Self.parts(servers.own), "parts")
        _ = try #require(try await installation.source("parts") { $0.new == 1 })
        let wrong = try #require(try await installation.source("wrong") { $0.lastError != nil })
        #expect(
            wrong.lastError?.code == "unexpected_shape"
                && wrong.lastError?.excerpt?.contains("{query}") == true
        )
        // The second page is held, and its request with it.
        _ = try #require(try await installation.source("good") { $0.pages == 1 && $0.new == 3 })
        try Self.search(installation, daemon)
        #expect(try await Self.search(answersOf: installation) > 8)
        try await Self.tryOut(servers.own, installation)
        servers.gate.open()
        let end = try #require(try await installation.source("good") { $0.state.code == .ended })
        #expect(end.lastError == nil && end.pages == 2, "\(end)")
        let jobs = try await installation.settledJobs()
        #expect(
            jobs.count == 4 && jobs.allSatisfy { $0.state == .stored },
            "\(jobs.map { $0.error?.message ?? "" })"
        )
        try Self.search(installation, daemon)
        _ = try await Self.search(answersOf: installation)
        // Who should have them has them, encoded as they have to be, and nobody else does.
        let own = servers.own.requests
        let prefix = "/S3CR3T%20p/list?api_key=S3CR3T%2Fq%2B%3D%26%C3%A9"
        for target in [prefix, "/parts", "/part/a", "/part.jpg"] {
            #expect(own.contains { $0.target == target })
        }
        #expect(
            own.contains { $0.target == prefix + "&page=2" }
                && own.contains { $0.target == "/S3CR3T%20p/p/1.jpg" }
        )
        #expect(own.contains { $0.target == prefix + "&x=/2.jpg" })
        #expect(
            own.allSatisfy {
                $0.header("x-key") == Self.secrets["field"] && $0.header("x-both") == Self.secrets["query"]
            }
        )
        #expect(servers.other.requests.count == 2)
        for request in servers.other.requests { #expect(!"\(request)".contains(Self.mark), "\(request)") }
        #expect(await daemon.stop() == 0)
        let said = daemon.heardErrors.joined() + (await daemon.errorOutput())
        #expect(!said.contains(Self.mark), "\(said)")
        try Self.search(installation, daemon)
    }

    @Test(
        "A server that repeats its secret in names, redirects and parts of a list has none of it kept or shown"
    )
    func repeated() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let secret = "\(Self.mark)/k+y"
        origin.serve("/parts") { _ in ListOrigin.json(["parts": [["id": "1", "where": "a/\(secret)"]]]) }
        origin.serveOthers { request in
            let picture = OriginFile([1, 2, 3]).answer(to: request)
            switch request.path {
            case "/raw.jpg":
                return picture.header("Content-Disposition", "inline; filename=\"\(secret).jpg\"")
            case "/encoded.jpg":
                let name = "%53%33CR3T%2fk%2by.jpg"
                return picture.header("Content-Disposition", "inline; filename*=UTF-8''\(name)")
            case "/entity.jpg":
                return picture.header(
                    "Content-Disposition",
                    "inline; filename=\"&#83;3CR3T&#47;k&#43;y.jpg\""
                )
            case "/ok.jpg": return picture
            case "/loop.jpg": return .redirect("/loop.jpg?k=&#83;3CR3T%2fk+y")
            case "/away.jpg": return .redirect("ftp://h/\(secret)")
            default:
                guard request.target == "/part/a%2FS3CR3T%2Fk%2By" else { return OriginAnswer(404) }
                let names = ["raw", "encoded", "entity", "loop", "away"].map { ["src": "/\($0).jpg"] }
                return ListOrigin.json(["items": names + [["src": "/ok.jpg?k=S3CR3T\\u002fk&#x2b;y"]]])
            }
        }
        let installation = try Installation()
        let folder = try TemporaryDirectory()
        try folder.write(Array(secret.utf8), to: "k")
        let more = ["FACEFETCH_SECRETS_DIRECTORY": folder.path]
        let daemon = try await installation.startDaemon(environment: Installation.plain.merging(more) { $1 })
        let recipe = """
            name: good
            url: "\(origin.url("/part/{where}"))"
            headers: {x-key: {secret: k}}
            slices: {url: "\(origin.url("/parts"))", each: ".parts[]", key: .id, vars: {where: .where}}
            items: .items[]
            job: {url: .src}
            every: never
            """
        try await installation.addSource(recipe, "good")
        let end = try #require(try await installation.source("good") { $0.state.code == .ended })
        #expect(end.lastError == nil && end.new == 6, "\(end)")
        let jobs = try await installation.settledJobs()
        #expect(
            Set(jobs.map(\.name)) == [
                "{k}.jpg", "{k} (2).jpg", "{k} (3).jpg", "loop.jpg", "away.jpg", "ok.jpg",
            ],
            "\(jobs.map(\.name))"
        )
        #expect(jobs.count { $0.state == .stored } == 4 && jobs.count { $0.error != nil } == 2)
        #expect(origin.requests.contains { $0.target == "/ok.jpg?k=S3CR3T%2Fk%2By" })
        try Self.search(installation, daemon)
        let said = try await installation.facefetch("list", "--json").output
        #expect(said.contains("{k}") && !said.contains(Self.mark) && !said.contains("3CR3T"), "\(said)")
        #expect(await daemon.stop() == 0)
        let log = daemon.heardErrors.joined() + (await daemon.errorOutput())
        #expect(!log.contains("3CR3T"), "\(log)")
        try Self.search(installation, daemon)
    }

    @Test("What servers say of where pages are sends no secret to another server")
    func strangers() async throws {
        let (own, other) = (try Origin.start(), try Origin.start())
        defer {
            own.stop()
            other.stop()
        }
        let item = [["src": "/1.jpg"]]
        for server in [own, other] {
            server.serveOthers { request in
                request.path.hasSuffix(".jpg")
                    ? OriginFile([1]).answer(to: request)
                    : ListOrigin.json(["items": item, "parts": [["base": other.url("/x")]]])
            }
        }
        // It repeats the key, and names another server.
        own.serve("/next") { request in
            let query = request.target.split(separator: "?").last ?? ""
            return ListOrigin.json(["items": item, "next": other.url("/list?") + query])
        }
        own.serve("/away") { _ in .redirect(other.url("/list")) }
        let installation = try Installation()
        let folder = try TemporaryDirectory()
        try folder.write(Array(Self.mark.utf8), to: "k")
        let secrets = ["FACEFETCH_SECRETS_DIRECTORY": folder.path]
        let daemon = try await installation.startDaemon(
            environment: Installation.plain.merging(secrets) { $1 }
        )
        func recipe(_ name: String, _ url: String, _ more: String = "") -> String {
            """
            name: \(name)
            url: "\(url)"
            vars: {key: {secret: k}}
            headers: {x-key: {secret: k}}
            items: .items[]
            job: {url: .src}
            every: never
            \(more)
            """
        }
        let parts = "slices: {url: \"\(own.url("/parts"))\", each: \".parts[]\", vars: {base: .base}}"
        let elsewhere = "slices: {url: \"\(other.url("/parts"))?k={key}\", each: \".parts[]\"}"
        for (text, words) in [
            (recipe("named", "{base}/list?k={key}", parts), "which server gets a secret"),
            (recipe("named", "http://{base}/list?k={key}", parts), "which server gets a secret"),
            (recipe("parted", own.url("/list?k={key}"), elsewhere), "slices.url: a secret is only sent"),
        ] {
            let added = try await installation.addSource(text, "refused")
            #expect(added.status != 0 && added.errors.contains(words), "\(added.errors)")
        }
        try await installation.addSource(recipe("next", own.url("/next?k={key}"), "next: .next"), "next")
        try await installation.addSource(recipe("away", own.url("/away?k={key}")), "away")
        let next = try #require(try await installation.source("next") { $0.lastError != nil })
        #expect(next.lastError?.message.contains("own server") == true && next.new == 1, "\(next)")
        _ = try #require(try await installation.source("away") { $0.state.code == .ended })
        _ = try await installation.settledJobs()
        #expect(own.requests("/next").first?.target == "/next?k=\(Self.mark)")
        #expect(own.requests.allSatisfy { $0.header("x-key") == Self.mark })
        #expect(other.requests.contains { $0.path == "/list" })
        for request in other.requests { #expect(!"\(request)".contains(Self.mark), "\(request)") }
        #expect(await daemon.stop() == 0)
    }

    @Test("A secret that systemd hands over goes before the one of that name in the folder")
    func credentials() async throws {
        let list = try ListOrigin(count: 1)
        defer { list.origin.stop() }
        let installation = try Installation()
        let (handed, folder) = (try TemporaryDirectory(), try TemporaryDirectory())
        try handed.write(Array("of systemd\n".utf8), to: "key")
        try folder.write(Array("of the folder\n".utf8), to: "key")
        try folder.write(Array("other\n".utf8), to: "other")
        let environment = [
            "CREDENTIALS_DIRECTORY": handed.path, "FACEFETCH_SECRETS_DIRECTORY": folder.path,
        ]
        let daemon = try await installation.startDaemon(
            environment: Installation.plain.merging(environment) { $1 }
        )
        try await installation.addSource(
            list.recipe(more: "headers: {x-key: {secret: key}, x-other: {secret: other}}")
        )
        _ = try #require(try await installation.source { $0.state.code == .ended })
        let request = try #require(list.origin.requests("/list").first)
        #expect(request.header("x-key") == "of systemd" && request.header("x-other") == "other")
        #expect(await daemon.stop() == 0)
    }

    /// Searches every file of the daemon's, and the arguments and the environment of its processes.
    private static func search(_ installation: Installation, _ daemon: Program) throws {
        let files = FileManager.default.enumerator(atPath: installation.directory.path)?.allObjects ?? []
        var count = 0
        for case let name as String in files {
            #expect(!name.contains(mark), "\(name)")
            guard let bytes = FileManager.default.contents(atPath: installation.directory.path(name)) else {
                continue
            }
            #expect(!has(bytes, mark), "\(name) has a secret")
            count += 1
        }
        #expect(count > 3)
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for id in processes where Int32(id) != nil {
            let command = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
            guard has(command, "facefetch") else { continue }
            for file in ["cmdline", "environ"] {
                let bytes = FileManager.default.contents(atPath: "/proc/\(id)/\(file)") ?? Data()
                #expect(!has(bytes, mark), "/proc/\(id)/\(file)")
            }
        }
    }

    /// Returns whether bytes have a text in them; by memchr(3), since a loop takes long in a debug build.
    private static func has(_ bytes: Data, _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while rest.count >= wanted.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let found = memchr(start, Int32(wanted[0]), rest.count - wanted.count + 1)
            {
                if memcmp(found, wanted, wanted.count) == 0 { return true }
                rest = rest.dropFirst(UnsafeRawPointer(found) - start + 1)
            }
            return false
        }
    }

    /// Searches what `source try` says of pages that repeat secrets, in items and in errors, of which a
    /// complaint has the beginning only.
    private static func tryOut(_ origin: Origin, _ installation: Installation) async throws {
        let odd = recipe("odd", "list", origin).replacing("name: .name, ", with: "sha256: .self, ")
            .replacing(", unused: {secret: short}", with: "")
        for (name, text, status) in [
            ("good", recipe("good", "list", origin), 0), ("wrong", recipe("wrong", "wrong", origin), 1),
            ("odd", odd, 1),
        ] {
            let file = try installation.directory.write(Array(text.utf8), to: "try-\(name).yaml")
            let tried = try await installation.facefetch("source", "try", file)
            let said = tried.output + tried.errors
            #expect(!said.contains(mark) && said.contains("{query}"), "\(name): \(said)")
            #expect((tried.status == 0) == (status == 0), "\(name): \(said)")
        }
    }

    /// Searches what the client says; gives back how many lines that were.
    private static func search(answersOf installation: Installation) async throws -> Int {
        var lines = 0
        for words in [
            ["source", "list"], ["source", "show", "good"], ["source", "show", "wrong"],
            ["source", "show", "good", "--json"], ["source", "show", "wrong", "--json"], ["list", "--json"],
            ["log"], ["status", "--json"], ["show", "1"], ["show", "2"],
        ] {
            let result = try await Program.run(
                "facefetch",
                words,
                environment: ["FACEFETCH_SOCKET": installation.socket]
            )
            #expect(!(result.output + result.errors).contains(mark), "\(words): \(result.output)")
            lines += result.lines.count
        }
        return lines
    }
}
