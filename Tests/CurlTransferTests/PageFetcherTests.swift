import Foundation
import JobCore
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import CurlTransfer

/// An origin, a fetcher of pages, and a folder for them, for one test.
final class PageBench: Sendable {
    let origin: Origin
    let folder: TemporaryDirectory
    let fetcher: PageFetcher
    private let transfer: CurlTransfer

    init(_ configure: (inout CurlTransferConfiguration) -> Void = { _ in }) throws {
        var configuration = CurlTransferConfiguration(userAgent: "facefetch-test/1", deniedNetworks: [])
        configure(&configuration)
        origin = try Origin.start()
        folder = try TemporaryDirectory()
        // It sets up libcurl.
        transfer = try CurlTransfer(configuration: configuration, logger: .init(label: "test")) { _ in }
        fetcher = PageFetcher(configuration: configuration)
    }

    deinit {
        transfer.shutdown()
        origin.stop()
    }

    func request(_ path: String, file: String = "page", limit: Int64 = 1 << 20) throws -> PageRequest {
        PageRequest(url: try origin.jobURL(path), file: folder.path(file), maximumLength: limit)
    }
}

@Suite("The fetcher of pages", .timeLimit(.minutes(1)))
struct PageFetcherTests {
    private static func answer(_ text: String, _ status: Int = 200) -> OriginAnswer {
        OriginAnswer(status, [("Content-Type", "application/json")], body: Array(text.utf8))
    }

    @Test("brings a page, what its head says, and where it came from, over what was there before")
    func page() async throws {
        let bench = try PageBench()
        bench.origin.serve("/list") { _ in .redirect("/here") }
        bench.origin.serve("/here") { _ in Self.answer("{}").header("Link", "<2>; rel=next") }
        let request = try bench.request("/list")
        try bench.folder.write(Array("something longer".utf8), to: "page")
        let answer = try await bench.fetcher.fetch(request).get()
        #expect(answer.status == 200 && answer.length == 2)
        #expect(answer.url == (try bench.origin.jobURL("/here")))
        #expect(answer.values("link") == ["<2>; rel=next"])
        #expect(try bench.folder.read("page") == Array("{}".utf8))
        let asked = try #require(bench.origin.requests("/here").first)
        #expect(asked.header("User-Agent") == "facefetch-test/1" && asked.header("Accept") == "*/*")
    }

    @Test("takes none of the last descriptors, which is no fault of the page")
    func descriptors() async throws {
        let bench = try PageBench { $0.descriptorCeiling = { 0 } }
        bench.origin.serve("/list") { _ in Self.answer("{}") }
        guard case .failure(.storage(let failure)) = await bench.fetcher.fetch(try bench.request("/list"))
        else {
            Issue.record("it was fetched")
            return
        }
        #expect(failure.code == .outOfResources)
    }

    @Test("writes nothing while that is held, as on a full disk")
    func held() async throws {
        let bench = try PageBench()
        bench.origin.serve("/list") { _ in Self.answer("{}") }
        #expect(bench.fetcher.holdWriting())
        let refused = await bench.fetcher.fetch(try bench.request("/list"))
        #expect("\(refused)".contains("code: disk_full"), "\(refused)")
        #expect(try bench.folder.read("page") == [])
        bench.fetcher.goOnWriting()
        #expect(try await bench.fetcher.fetch(try bench.request("/list")).get().length == 2)
    }

    @Test("sends an origin's own fields nowhere else")
    func ownFields() async throws {
        let bench = try PageBench()
        let other = try Origin.start(address: "127.0.0.2")
        defer { other.stop() }
        let target = other.url("/there")
        bench.origin.serve("/list") { _ in .redirect("/home") }
        bench.origin.serve("/home") { _ in .redirect(target) }
        other.serve("/there") { _ in Self.answer("{}") }
        var request = try bench.request("/list")
        request.fields = [.init(name: "X-All", value: "1")]
        request.ownFields = [.init(name: "X-Key", value: "secret")]
        _ = try await bench.fetcher.fetch(request).get()
        #expect(bench.origin.requests("/home").first?.header("X-Key") == "secret")
        let last = try #require(other.requests("/there").first)
        #expect(last.header("X-Key") == nil && last.header("X-All") == "1")
    }

    @Test("posts a body of JSON, again where a redirect keeps it, and to no other server")
    func body() async throws {
        let bench = try PageBench()
        let other = try Origin.start(address: "127.0.0.2")
        defer { other.stop() }
        let there = other.url("/there")
        for path in ["/list", "/kept", "/see", "/away"] {
            bench.origin.serve(path) { _ in Self.answer("{}") }
        }
        bench.origin.serve("/moved") { _ in .redirect("/kept") }
        bench.origin.serve("/other") { _ in Self.answer("", 303).header("Location", "/see") }
        bench.origin.serve("/away") { _ in .redirect(there) }
        other.serve("/there") { _ in Self.answer("{}") }
        let text = #"{"query":"{ photos }","n":"é"}"#
        for (path, target, isPosted) in [
            ("/list", "/list", true), ("/moved", "/kept", true), ("/other", "/see", false),
        ] {
            var request = try bench.request(path)
            request.body = text
            let answer = try await bench.fetcher.fetch(request).get()
            #expect(answer.status == 200)
            let asked = try #require(bench.origin.requests(target).first)
            #expect(asked.method == (isPosted ? "POST" : "GET"))
            #expect(asked.body == (isPosted ? Array(text.utf8) : []))
            #expect(asked.header("Content-Type") == (isPosted ? "application/json" : nil))
            #expect(asked.header("Expect") == nil)
        }
        // A recipe may say itself what the body is.
        var own = try bench.request("/list")
        own.body = text
        own.ownFields = [.init(name: "content-type", value: "application/graphql+json")]
        _ = try await bench.fetcher.fetch(own).get()
        #expect(bench.origin.requests("/list").last?.header("Content-Type") == "application/graphql+json")
        var request = try bench.request("/away")
        request.body = text
        guard case .failure(.refused(let failure)) = await bench.fetcher.fetch(request) else {
            return #expect(Bool(false))
        }
        #expect(failure.code == .refusedRedirect && other.requests("/there").isEmpty)
    }

    @Test("gives up the body of what it is only asked about, whose request is that of a transfer")
    func headOnly() async throws {
        let bench = try PageBench()
        let gate = OriginGate()
        defer { gate.open() }
        let picture = OriginFile(seed: 1, count: 5_000_000, entityTag: "\"v2\"")
        bench.origin.serve("/a.jpg") { _ in .redirect("/b.jpg") }
        // The rest never comes, and isn't waited for.
        bench.origin.serve("/b.jpg") { picture.answer(to: $0).held(beforeByte: 1_000_000, by: gate) }
        bench.origin.serve("/c.jpg") { _ in OriginAnswer(304).header("ETag", "\"v1\"") }
        bench.origin.serve("/page") { _ in .loginPage }
        var request = try bench.request("/a.jpg", limit: 0)
        request.wantsHeadOnly = true
        request.mayBeCompressed = false
        request.fields = [.init(name: "If-None-Match", value: "\"v1\"")]
        let answer = try await bench.fetcher.fetch(request).get()
        #expect(answer.status == 200 && answer.isAcceptedType && answer.values("etag") == ["\"v2\""])
        #expect(answer.values("content-length") == ["5000000"])
        #expect(try bench.folder.read("page").isEmpty)
        let asked = try #require(bench.origin.requests("/b.jpg").first)
        #expect(asked.header("If-None-Match") == "\"v1\"" && asked.header("Accept") == "image/*, */*;q=0.8")
        #expect(asked.header("Accept-Encoding") == "identity")
        request.url = try bench.origin.jobURL("/c.jpg")
        #expect(try await bench.fetcher.fetch(request).get().status == 304)
        request.url = try bench.origin.jobURL("/page")
        #expect(try await bench.fetcher.fetch(request).get().isAcceptedType == false)
    }

    @Test("takes no page longer than it may be, compressed or not")
    func tooLarge() async throws {
        let bench = try PageBench()
        let packed = bench.folder.path("bomb.gz")
        let command = "head -c 5000000 /dev/zero | gzip -9 > \(packed)"
        #expect(try Shell.run(["/bin/sh", "-c", command]).status == 0)
        let bytes = try bench.folder.read("bomb.gz")
        bench.origin.serve("/bomb") { _ in
            OriginAnswer(200, [("Content-Encoding", "gzip")], body: bytes)
        }
        bench.origin.serve("/large") { _ in Self.answer(String(repeating: "x", count: 5_000_000)) }
        for path in ["/bomb", "/large"] {
            let result = await bench.fetcher.fetch(try bench.request(path))
            #expect(result.failure == .tooLarge)
            #expect(try bench.folder.read("page").count <= 1 << 20)
        }
    }

    @Test("tells an error's status, and keeps the beginning of what it says")
    func errors() async throws {
        let bench = try PageBench()
        bench.origin.serve("/list") { _ in Self.answer(String(repeating: "x", count: 500_000), 503) }
        let answer = try await bench.fetcher.fetch(try bench.request("/list")).get()
        #expect(answer.status == 503)
        #expect(try bench.folder.read("page").count <= Int(PageRequest.longestErrorBody))
        bench.origin.serve("/same") { _ in OriginAnswer(304) }
        #expect(try await bench.fetcher.fetch(try bench.request("/same")).get().status == 304)
    }

    @Test("fails in words where nobody answers, a head never ends, or a body breaks off")
    func connections() async throws {
        let bench = try PageBench()
        bench.origin.serve("/head") { _ in Self.answer("{}").endless(.fields) }
        bench.origin.serve("/cut") { _ in Self.answer("{\"items\": []}").cut(after: 5) }
        bench.origin.serve("/noise") { _ in .garbage(Array("SSH-2.0-x\r\n".utf8)) }
        for path in ["/head", "/cut", "/noise"] {
            let result = await bench.fetcher.fetch(try bench.request(path))
            guard case .connection(let failure)? = result.failure else {
                Issue.record("\(path): \(result)")
                continue
            }
            #expect(!failure.message.isEmpty)
        }
    }

    @Test("undoes gzip and deflate, and takes no body for whole that breaks off", arguments: [false, true])
    func compressed(isDeclared: Bool) async throws {
        let bench = try PageBench()
        let text = (0..<9000).map { "line \($0) \($0 * 7919 % 10_007)\n" }.joined()
        try bench.folder.write(Array(text.utf8), to: "plain")
        #expect(try Shell.run(["/bin/gzip", "-k", bench.folder.path("plain")]).status == 0)
        let packed = try bench.folder.read("plain.gz")
        // In zlib's wrapping, as it should be, and bare, as many send it.
        let zlib: [UInt8] = [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06, 0x2C, 0x02, 0x15]
        func serve(_ bytes: [UInt8], _ coding: String) {
            bench.origin.serve("/list") { _ in
                let answer = OriginAnswer(200, [("Content-Encoding", coding)], body: bytes)
                return answer.framed(isDeclared ? .contentLength : .untilClose)
            }
        }
        for (bytes, coding, page) in [
            (packed, "gzip", text), (packed + packed, "x-gzip", text + text), (zlib, "deflate", "hello"),
            (Array(zlib[2..<9]), "deflate", "hello"), (Array("x".utf8), "utf-8", "x"), ([], "gzip", ""),
            (packed + [0, 0, 0], "gzip", text),
        ] {
            serve(bytes, coding)
            let answer = try await bench.fetcher.fetch(try bench.request("/list")).get()
            #expect(answer.length == page.utf8.count)
            #expect(try bench.folder.read("page") == Array(page.utf8))
        }
        var damaged = packed
        damaged[9000] ^= 1
        for (bytes, coding, words) in [
            (Array(packed.dropLast(packed.count / 2)), "gzip", "breaks off"),
            (Array(packed.dropLast(1)), "gzip", "breaks off"),
            (Array(zlib.dropLast(1)), "deflate", "breaks off"),
            (Array("no gzip".utf8), "gzip", "can't be decompressed"),
            (damaged, "gzip", "can't be decompressed"),
            (packed, "br", "which can't be decoded"), (packed, "gzip, gzip", "which can't be decoded"),
        ] {
            serve(bytes, coding)
            let result = await bench.fetcher.fetch(try bench.request("/list"))
            guard case .connection(let failure)? = result.failure else {
                Issue.record("\(coding), \(words)")
                continue
            }
            #expect(failure.message.contains(words))
        }
    }

    @Test("goes to no denied network, by name, by address or by redirect")
    func denied() async throws {
        let bench = try PageBench { $0.deniedNetworks = [NetworkRange("127.0.0.2/32")].compactMap(\.self) }
        let port = try bench.origin.jobURL("/").port
        bench.origin.serve("/list") { _ in .redirect("http://127.0.0.2:\(port)/x") }
        var request = try bench.request("/list")
        for url in [request.url, try JobURL("http://127.0.0.2:\(port)/x")] {
            request.url = url
            guard case .refused? = await bench.fetcher.fetch(request).failure else {
                Issue.record("\(url) was not refused")
                continue
            }
        }
    }

    @Test("says so if the file can't be written", arguments: ["/nowhere/page", "/dev/full"])
    func storage(_ file: String) async throws {
        let bench = try PageBench()
        bench.origin.serve("/list") { _ in Self.answer("{}") }
        var request = try bench.request("/list")
        request.file = file
        let failure = await bench.fetcher.fetch(request).failure
        switch failure {
        case .storage(let failure)?:
            #expect(failure.code == (file == "/dev/full" ? .diskFull : .storageError))
        default: Issue.record("\(String(describing: failure))")
        }
    }

    @Test("keeps the disk's reserve free, of what is announced before its first byte")
    func reserve() async throws {
        let bench = try PageBench { $0.diskReserve = .max / 2 }
        bench.origin.serve("/list") { _ in Self.answer("{}") }
        bench.origin.serve("/endless") { _ in Self.answer("{}").framed(.untilClose) }
        for path in ["/list", "/endless"] {
            let failure = await bench.fetcher.fetch(try bench.request(path)).failure
            guard case .storage(let failure)? = failure else {
                Issue.record("\(path): \(String(describing: failure))")
                continue
            }
            #expect(failure.code == .diskFull && failure.message.contains("disk.reserve"))
            #expect(try bench.folder.read("page").isEmpty)
        }
        bench.fetcher.reconfigure(CurlTransferConfiguration(userAgent: "t", deniedNetworks: []))
        #expect(try await bench.fetcher.fetch(try bench.request("/list")).get().status == 200)
    }

    @Test("gives up what is cancelled: at once what waits, and soon what is under way")
    func cancelling() async throws {
        let bench = try PageBench()
        let gate = OriginGate()
        defer { gate.open() }
        bench.origin.serve("/slow") { _ in Self.answer("{}").held(by: gate) }
        bench.origin.serve("/quick") { _ in Self.answer("{}") }
        let request = try bench.request("/slow")
        let slow = (0..<PageFetcher.widthOfServer).map { number in
            Task { [bench] in
                var request = request
                request.file = bench.folder.path("\(number)")
                return await bench.fetcher.fetch(request)
            }
        }
        try await waitWhile { bench.origin.requests("/slow").count < PageFetcher.widthOfServer }
        // All places are taken.
        let quick = try bench.request("/quick")
        let waiting = Task { [bench] in await bench.fetcher.fetch(quick) }
        waiting.cancel()
        #expect(await waiting.value.failure == .cancelled)
        #expect(bench.origin.requests("/quick").isEmpty)
        for task in slow { task.cancel() }
        for task in slow { #expect(await task.value.failure == .cancelled) }
        // The places are free again.
        #expect(try await bench.fetcher.fetch(quick).get().status == 200)
    }

    @Test("lets long lists hold up no pages")
    func lists() async throws {
        let bench = try PageBench()
        let gate = OriginGate()
        bench.origin.serve("/list") { _ in Self.answer("{}").held(by: gate) }
        bench.origin.serve("/quick") { _ in Self.answer("{}") }
        var request = try bench.request("/list")
        request.timeLimit = nil
        let lists = (0...PageFetcher.widthOfServer).map { number in
            var request = request
            request.file = bench.folder.path("\(number)")
            return Task { [bench, request] in await bench.fetcher.fetch(request) }
        }
        try await waitWhile { bench.origin.requests("/list").count < PageFetcher.widthOfServer }
        #expect(try await bench.fetcher.fetch(bench.request("/quick")).get().status == 200)
        #expect(bench.origin.requests("/list").count == PageFetcher.widthOfServer)
        gate.open()
        for list in lists { #expect(try await list.value.get().status == 200) }
    }

    @Test("lets servers that never answer hold up no other, and no trial of a recipe")
    func hanging() async throws {
        let bench = try PageBench()
        let (other, gate) = (try Origin.start(), OriginGate())
        defer { other.stop() }
        bench.origin.serve("/slow") { _ in Self.answer("{}").held(by: gate) }
        bench.origin.serve("/tried") { _ in Self.answer("{}") }
        other.serve("/list") { _ in Self.answer("{}") }
        let slow = try (0..<6).map { number in
            let request = try bench.request("/slow", file: "\(number)")
            return Task { [bench] in await bench.fetcher.fetch(request) }
        }
        try await waitWhile { bench.origin.requests("/slow").count < PageFetcher.widthOfServer }
        var request = try bench.request("/list")
        request.url = try other.jobURL("/list")
        #expect(try await bench.fetcher.fetch(request).get().status == 200)
        request = try bench.request("/tried")
        request.isTrial = true
        #expect(try await bench.fetcher.fetch(request).get().status == 200)
        #expect(bench.origin.requests("/slow").count == PageFetcher.widthOfServer)
        gate.open()
        for page in slow { #expect(try await page.value.get().status == 200) }
    }

    @Test("leaves places for others beside somebody who tries many recipes out")
    func users() async throws {
        let bench = try PageBench()
        let gate = OriginGate()
        defer { gate.open() }
        func request(_ number: Int, of user: UInt32) throws -> (request: PageRequest, origin: Origin) {
            // Each of a server of its own, which alone would be asked twice at once.
            let origin = try Origin.start()
            origin.serve("/slow") { _ in Self.answer("{}").held(by: gate) }
            origin.serve("/list") { _ in Self.answer("[]") }
            var request = try bench.request("/slow")
            request.url = try origin.jobURL("/slow")
            request.file = bench.folder.path("\(user)-\(number)")
            (request.isTrial, request.user) = (true, user)
            return (request, origin)
        }
        let many = try (0..<2 * PageFetcher.widthOfTrials).map { try request($0, of: 1) }
        let slow = many.map { page in Task { [bench] in await bench.fetcher.fetch(page.request) } }
        try await waitWhile {
            many.count(where: { !$0.origin.requests("/slow").isEmpty }) < PageFetcher.widthOfUser
        }
        var other = try request(0, of: 2)
        other.request.url = try other.origin.jobURL("/list")
        #expect(try await bench.fetcher.fetch(other.request).get().status == 200)
        #expect(many.count { !$0.origin.requests("/slow").isEmpty } == PageFetcher.widthOfUser)
        gate.open()
        for page in slow { #expect(try await page.value.get().status == 200) }
    }

    @Test("gives up everything when it is shut down, and takes no more")
    func shutdown() async throws {
        let bench = try PageBench()
        let gate = OriginGate()
        defer { gate.open() }
        bench.origin.serve("/slow") { _ in Self.answer("{}").held(by: gate) }
        let request = try bench.request("/slow")
        let pages = (0..<2 * PageFetcher.widthOfServer).map { number in
            Task { [bench] in
                var request = request
                request.file = bench.folder.path("\(number)")
                return await bench.fetcher.fetch(request)
            }
        }
        try await waitWhile { bench.origin.requests("/slow").count < PageFetcher.widthOfServer }
        bench.fetcher.shutdown()
        for page in pages { #expect(await page.value.failure == .cancelled) }
        #expect(await bench.fetcher.fetch(request).failure == .cancelled)
        #expect(bench.origin.requests("/slow").count == PageFetcher.widthOfServer)
    }
}

extension Result where Success == PageAnswer, Failure == PageFetchError {
    /// The reason why there is no answer.
    fileprivate var failure: PageFetchError? { if case .failure(let failure) = self { failure } else { nil } }
}
