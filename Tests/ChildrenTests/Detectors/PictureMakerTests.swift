import DetectorProtocol
import Foundation
import JobModel
import Logging
import PaintedPictures
import Synchronization
import TestTraits
import Testing
import Vocabulary

@testable import Children

@Suite(.timeLimit(.minutes(2))) struct PictureMakerTests {
    /// A process of pictures that is honest, or a script that isn't.
    private func maker(
        _ script: String = "be_honest_in_pictures",
        timeout: Duration = .seconds(30),
        idleTime: Duration = .seconds(30),
        lost: @escaping @Sendable (ChildEnd, _ path: String?) -> Void = { _, _ in }
    ) throws -> (maker: PictureMaker, folder: ScriptedDetector) {
        let honest =
            "be_honest_in_pictures() { exec '\(try ScriptedDetector.realDetector())' "
            + "--serve-pictures --documents \"$here\"; }\n"
        let folder = try ScriptedDetector(honest + script)
        let configuration = DetectorPoolConfiguration(
            executable: folder.executable,
            arguments: [],
            workers: 1,
            timeout: timeout,
            idleTime: idleTime
        )
        return (
            PictureMaker(
                configuration: configuration,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                lost: lost
            ), folder
        )
    }

    private let job = JobID(rawValue: 1)

    private func jpeg(_ outcome: PictureMaker.Outcome) -> [UInt8]? {
        if case .made(let bytes) = outcome { bytes } else { nil }
    }

    /// Width and height as a JPEG's frame header says them (ITU-T T.81, B.2.2), and its other markers.
    private func segments(_ jpeg: [UInt8]) -> (width: Int, height: Int, markers: Set<UInt8>) {
        var (width, height, markers, place) = (0, 0, Set<UInt8>(), 2)
        while place + 9 < jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
            let marker = jpeg[place + 1]
            markers.insert(marker)
            if (0xC0...0xC2).contains(marker) {
                height = Int(jpeg[place + 5]) << 8 | Int(jpeg[place + 6])
                width = Int(jpeg[place + 7]) << 8 | Int(jpeg[place + 8])
            }
            place += 2 + (Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3]))
        }
        return (width, height, markers)
    }

    @Test("A picture is shrunk to each size, upright, and is never enlarged")
    func sizes() async throws {
        let (maker, folder) = try maker()
        let path = try folder.write(
            "a.jpg",
            PaintedPicture(width: 1800, height: 900).jpeg(orientation: .needsClockwise)
        )
        for (size, width) in [(PictureSize.thumb, 400), (.medium, 1440), (.large, 1800)] {
            let bytes = try #require(jpeg(await maker.make(path, size, for: job)))
            let seen = segments(bytes)
            #expect(seen.width == width && seen.height == width / 2)
        }
        #expect(folder.starts == 1)
        maker.stop()
    }

    @Test("It holds pixels and nothing else: no profile, no position, no comment")
    func plain() async throws {
        let (maker, folder) = try maker()
        let path = try folder.write("a.jpg", PaintedPicture(faces: 1).jpeg(colour: .profiled))
        let bytes = try #require(jpeg(await maker.make(path, .thumb, for: job)))
        #expect(bytes.count < PictureSize.thumb.limit)
        // JFIF, tables, and the frame: no EXIF (E1), no profile (E2), no comment (FE).
        #expect(segments(bytes).markers.isSubset(of: [0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDD]))
        maker.stop()
    }

    @Test("What is no picture has none, and the next is made by the same process")
    func unreadable() async throws {
        let (maker, folder) = try maker()
        let page = try folder.write("a.jpg", Array("<svg onload=\"alert(1)\"/>".utf8))
        let picture = try folder.write("b.jpg", PaintedPicture(faces: 1).jpeg())
        #expect(await maker.make(page, .thumb, for: job) == .unreadable)
        #expect(jpeg(await maker.make(picture, .thumb, for: job)) != nil)
        #expect(folder.starts == 1)
        maker.stop()
    }

    @Test("Many that are asked for together are all made, and a cancelled one is given up")
    func many() async throws {
        let (maker, folder) = try maker()
        let path = try folder.write("a.jpg", PaintedPicture(faces: 1).jpeg())
        let made = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<24 {
                group.addTask {
                    if case .made = await maker.make(path, number % 4 == 0 ? .medium : .thumb, for: job) {
                        true
                    } else {
                        false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 24)
        let given = Task { await maker.make(path, .thumb, for: job) }
        given.cancel()
        let outcome = await given.value
        #expect(outcome == .failed || jpeg(outcome) != nil)
        maker.stop()
        #expect(await maker.make(path, .thumb, for: job) == .failed)
    }

    @Test(
        "A process that dies, lies or hangs costs its own picture, and another takes its place",
        arguments: [
            "greet; read_request; kill -SEGV $$",
            "greet; read_request; frame '{\"id\":1,\"length\":10}'; printf 'no JPEG at all'; sleep 60",
            "greet; read_request; frame \"{\\\"id\\\":$id,\\\"length\\\":14}\"; printf 'no JPEG at all'; sleep 60",
            "greet; read_request; frame \"{\\\"id\\\":$id,\\\"length\\\":99999999}\"; sleep 60",
            "greet; read_request; yes complaint >&2", "greet; read_request; exec sleep 60",
        ]
    )
    func losses(script: String) async throws {
        let isLate = script.contains("exec sleep")
        let losses = Mutex<[(end: ChildEnd, path: String?)]>([])
        let (maker, folder) = try maker(
            "[ $start -gt 1 ] && be_honest_in_pictures; " + script,
            timeout: .milliseconds(isLate ? 8_000 : 30_000),
            lost: { end, path in losses.withLock { $0.append((end, path)) } }
        )
        let path = try folder.write("a.jpg", PaintedPicture(faces: 1).jpeg())
        #expect(await maker.make(path, .thumb, for: job) == .unreadable)
        #expect(jpeg(await maker.make(path, .thumb, for: job)) != nil)
        #expect(folder.starts == 2)
        maker.stop()
        // One that took too long has no fault of its own.
        let told = losses.withLock { $0 }
        #expect(told.map(\.path) == (isLate ? [] : [path]))
        if script.contains("SEGV") { #expect(told.map(\.end) == [.signalled(SIGSEGV)]) }
    }

    @Test(
        "A process that can't be believed before it is asked costs no picture, nor one that ends with nothing to do",
        arguments: [
            (#"frame '{"version":1,"engines":[]}'; exec sleep 60"#, 0), ("frame '{}'; exec sleep 60", 0),
            ("yes complaint >&2", 0), ("exit 3", 0),
            (#"frame '{"id":1,"message":"is no picture"}'; exec sleep 60"#, 1), ("yes complaint >&2", 1),
            ("exec yes", 1), ("exec >&-; exec sleep 60", 1), ("exit 3", 1), ("kill -SEGV $$", 1),
        ]
    )
    func idleLosses(_ end: String, _ answers: Int) async throws {
        let (ends, ended) = AsyncStream.makeStream(of: (ChildEnd, path: String?).self)
        let answer = #"frame "{\"id\":$id,\"length\":6}"; printf '\377\330\377\340\377\331'"#
        let first = answers > 0 ? "greet; read_request; \(answer)" : ""
        let (maker, folder) = try maker("[ $start -gt 1 ] && be_honest_in_pictures\n\(first)\n\(end)") {
            ended.yield(($0, $1))
        }
        let path = try folder.write("a.jpg", PaintedPicture(faces: 1).jpeg())
        let one = jpeg(await maker.make(path, .thumb, for: job))
        #expect(answers > 0 ? one?.count == 6 : one?.count ?? 0 > 6)
        var losses = ends.makeAsyncIterator()
        let loss = try #require(await losses.next())
        #expect(loss.path == nil)
        #expect(jpeg(await maker.make(path, .thumb, for: job))?.count ?? 0 > 6)
        #expect(folder.starts == 2)
        maker.stop()
    }

    @Test("A fingerprint is made of a document, is none of a flat picture, and of what is no picture")
    func fingerprints() async throws {
        let (maker, folder) = try maker()
        let picture = PaintedPicture(faces: 2)
        let path = try folder.write("a.jpg", picture.jpeg())
        guard case .fingerprint(let made?) = await maker.makeFingerprint(path, for: job) else {
            Issue.record("none was made")
            return
        }
        let copy = try folder.write("b.webp", picture.webp(quality: 60))
        guard case .fingerprint(let other?) = await maker.makeFingerprint(copy, for: job) else {
            Issue.record("none was made of a copy")
            return
        }
        #expect(made.distance(to: other) <= 6)
        #expect(await maker.makeFingerprint(try folder.write("c.jpg", [1, 2, 3]), for: job) == .unreadable)
        #expect(jpeg(await maker.make(path, .thumb, for: job)) != nil)
        #expect(folder.starts == 1)
        maker.stop()
        #expect(await maker.makeFingerprint(path, for: job) == .failed)
    }

    @Test(
        "A fingerprint that can't be one, or that nobody asked for, isn't believed",
        arguments: [
            #"\"fingerprint\":\"0000000000000000\""#, #"\"fingerprint\":\"0123456789ABCDEF\""#,
            #"\"fingerprint\":\"0123456789abcdef\",\"message\":\"x\""#,
            #"\"fingerprint\":\"0123456789abcdef\",\"length\":6"#, #"\"length\":6"#, #"\"fingerprint\":7"#,
        ]
    )
    func liedFingerprints(_ answer: String) async throws {
        let (maker, folder) = try maker(
            "[ $start -gt 1 ] && be_honest_in_pictures; greet; read_request; frame \"{\\\"id\\\":$id,\(answer)}\"; sleep 60"
        )
        let path = try folder.write("a.jpg", PaintedPicture(faces: 1).jpeg())
        #expect(await maker.makeFingerprint(path, for: job) == .unreadable)
        guard case .fingerprint(_?) = await maker.makeFingerprint(path, for: job) else {
            Issue.record("no other process took its place")
            return
        }
        #expect(folder.starts == 2)
        maker.stop()
    }

    @Test("Where the documents directory is away nothing is said of a document, and another process goes on")
    func shutOut() async throws {
        let real = try ScriptedDetector.realDetector()
        let (maker, folder) = try maker("exec '\(real)' --serve-pictures --documents \"$here/documents\"")
        let path = folder.folder + "/documents/a.jpg"
        #expect(await maker.make(path, .thumb, for: job) == .failed)
        try FileManager.default.createDirectory(
            atPath: folder.folder + "/documents",
            withIntermediateDirectories: false
        )
        try folder.write("documents/a.jpg", PaintedPicture(faces: 1).jpeg())
        #expect(jpeg(await maker.make(path, .thumb, for: job)) != nil)
        #expect(await maker.make(path + "x", .thumb, for: job) == .unreadable)
        maker.stop()
    }

    @Test("A process that has nothing to do ends, and the next picture has another")
    func idle() async throws {
        let (maker, folder) = try maker(idleTime: .milliseconds(50))
        let path = try folder.write("a.jpg", PaintedPicture(faces: 1).jpeg())
        #expect(jpeg(await maker.make(path, .thumb, for: job)) != nil)
        let first = try #require(folder.pid)
        while kill(first, 0) == 0 { await Task.yield() }
        #expect(jpeg(await maker.make(path, .thumb, for: job)) != nil)
        #expect(folder.starts == 2)
        maker.stop()
    }
}
