import Glibc
import JobModel
import Logging
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import CurlTransfer

@Suite("A large file whose ranges are answered in an unusual way", .timeLimit(.minutes(2)), .serialized)
struct CutRangeTests {
    private static let mib = 1 << 20
    private static let file = OriginFile(seed: 45, count: 40 * mib)
    private var file: OriginFile { Self.file }
    private var length: Int64 { Int64(file.bytes.count) }

    private func point(_ offset: Int, of total: Int64, held: SegmentMap? = nil) -> ResumePoint {
        ResumePoint(offset: Int64(offset), total: total, validator: .entityTag("\"v1\""), held: held)
    }

    private func checkWhole(_ running: TransferBench.Running, _ file: OriginFile) async {
        #expect(await running.end == .completed(length: Int64(file.bytes.count), lengthProven: true))
        let isSame = running.partial == file.bytes
        #expect(isSame)
    }

    @Test(
        "The rest of a rest that comes in shorter parts is asked for",
        arguments: [1, 4],
        [256 << 10, 1 << 20]
    )
    func capped(segments: Int, most: Int) async throws {
        try await TransferBench.run({ $0.segments = segments }) { bench in
            let file = file
            bench.origin.serve("/a.jpg") { request in
                guard let range = request.range else { return file.whole }
                return file.part(from: range.first, to: min(range.last ?? .max, range.first + most - 1))
            }
            let held = 36 * Self.mib
            let running = try bench.fetch(
                "/a.jpg",
                resume: point(held, of: length),
                partial: Array(file.bytes.prefix(held))
            )
            await checkWhole(running, file)
            #expect(bench.origin.requests("/a.jpg").count >= 4 * Self.mib / most)
        }
    }

    @Test("So is that of a smaller file")
    func cappedSmall() async throws {
        let file = OriginFile(seed: 46, count: 3 * Self.mib)
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { request in
                guard let range = request.range else { return file.whole }
                return file.part(
                    from: range.first,
                    to: min(range.last ?? .max, range.first + (256 << 10) - 1)
                )
            }
            let running = try bench.fetch(
                "/a.jpg",
                resume: point(Self.mib, of: Int64(file.bytes.count)),
                partial: Array(file.bytes.prefix(Self.mib))
            )
            await checkWhole(running, file)
        }
    }

    @Test("A server's error for one range takes its stream off for a while only")
    func failsOnce() async throws {
        try await TransferBench.run { bench in
            let file = file
            let gate = OriginGate()
            bench.origin.serve("/a.jpg") { request in
                if request.index == 0 { return file.whole.held(beforeByte: Self.mib, by: gate) }
                if request.index == 1 { return OriginAnswer(502) }
                // The two others, and the one that comes back: all wait for it.
                if request.index >= 4 { gate.open() }
                return file.answer(to: request).held(beforeByte: 0, by: gate)
            }
            await checkWhole(try bench.fetch("/a.jpg"), file)
        }
    }

    @Test(
        "A page in place of a part costs nothing of what there is",
        arguments: ["text/html", "application/json"]
    )
    func page(type: String) async throws {
        try await TransferBench.run { bench in
            var page = OriginAnswer.loginPage.header("Content-Type", type)
            page.body = .bytes(Array(String(repeating: "<p>Please log in</p>", count: 100).utf8))
            bench.origin.serve("/a.jpg") { [page] _ in page }
            let held = Array(file.bytes.prefix(3 * Self.mib))
            let running = try bench.fetch("/a.jpg", resume: point(held.count, of: length), partial: held)
            let end = await running.end
            #expect(
                end?.isTransient == true && end?.code == .unexpectedContentType,
                "\(String(describing: end))"
            )
            let isThere = running.partial == held
            #expect(isThere)
        }
    }

    @Test("Another picture in place of a part replaces what there is, also where its type says nothing")
    func otherPicture() async throws {
        try await TransferBench.run { bench in
            let picture = [0xFF, 0xD8, 0xFF, 0xE0] + OriginContent.bytes(seed: 47, count: 50_000)
            let file = OriginFile(picture, entityTag: "\"v2\"")
            bench.origin.serve("/a.jpg") { _ in file.whole.header("Content-Type", "text/plain") }
            let held = Array(file.bytes.prefix(20_000))
            await checkWhole(
                try bench.fetch("/a.jpg", resume: point(held.count, of: 60_000), partial: held),
                file
            )
        }
    }

    @Test("A link that ends in a page is asked for anew by the file's own URL")
    func linkToPage() async throws {
        try await TransferBench.run { bench in
            let file = file
            let gate = OriginGate()
            bench.origin.serve("/a.jpg") { request in
                let link = "/signed\(request.index).jpg"
                bench.origin.serve(link) { signed in
                    guard signed.index == 0 else { return .loginPage }
                    if request.index >= 3 { gate.open() }
                    let answer = file.answer(to: signed)
                    return request.index == 0 ? answer.held(beforeByte: Self.mib, by: gate) : answer
                }
                return .redirect(link)
            }
            await checkWhole(try bench.fetch("/a.jpg"), file)
        }
    }

    @Test("Another server has to show the same entity tag", arguments: [true, false])
    func otherServer(hasTag: Bool) async throws {
        try await TransferBench.run { bench in
            let other = try Origin.start()
            defer { other.stop() }
            let date = "Thu, 20 Nov 2025 06:45:03 GMT"
            let file = OriginFile(file.bytes, entityTag: hasTag ? "\"v1\"" : nil, lastModified: date)
            let link = other.url("/b.jpg")
            other.serve("/b.jpg", file)
            bench.origin.serve("/a.jpg") { _ in .redirect(link) }
            let held = 39 * Self.mib
            let validator: Validator = hasTag ? .entityTag("\"v1\"") : .lastModified(date)
            let resume = ResumePoint(
                offset: Int64(held),
                total: length,
                validator: validator,
                host: try JobURL(bench.origin.url("/a.jpg")).hostKey
            )
            let running = try bench.fetch("/a.jpg", resume: resume, partial: Array(file.bytes.prefix(held)))
            let end = await running.end
            if hasTag {
                await checkWhole(running, file)
            } else {
                #expect(end?.isMustRestart == true, "\(String(describing: end))")
            }
        }
    }

    @Test("A transfer that nothing would wake is ended, and reported as a fault of ours")
    func rests() throws {
        var configuration = CurlTransferConfiguration(userAgent: "facefetch-test/1")
        configuration.lowSpeedTime = 0
        let faults = Mutex(0)
        let ends = Mutex<[TransferEnd]>([])
        let loop = try #require(
            TransferLoop(
                configuration: configuration,
                segmentTable: nil,
                mailbox: TransferMailbox(),
                logger: Logger(label: "test"),
                whenAtRest: { faults.withLock { $0 += 1 } }
            ) { reports in
                for case (_, .ended(let end)) in reports { ends.withLock { $0.append(end) } }
            }
        )
        let url = try JobURL("http://127.0.0.1:9/a.jpg")
        let request = TransferRequest(job: JobID(rawValue: 1), url: url, partialPath: "/nowhere", resume: nil)
        loop.active[request.job] = TransferSlot(owner: loop, transfer: Transfer(request, at: url, now: 0))
        loop.endResting()
        loop.deliver()
        #expect(faults.withLock { $0 } == 1)
        #expect(ends.withLock { $0.map(\.code) } == [.stalled])
        #expect(loop.active.isEmpty)
    }
}
