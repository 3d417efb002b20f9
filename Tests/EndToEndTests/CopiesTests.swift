import Foundation
import Glibc
import PaintedPictures
import TestSupport
import Testing

/// `facefetch copies` with the real daemon and the real detector.
@Suite(.timeLimit(.minutes(3))) struct CopiesTests {
    /// A daemon that has three pictures: one with two faces, one with none, and one of another format.
    private final class Scene {
        let origin: Origin
        let installation: Installation
        let daemon: Program
        let out: String

        init() async throws {
            origin = try Origin.start()
            origin.serve("/two.jpg", OriginFile(try PaintedPicture(faces: 2).jpeg(orientation: .upsideDown)))
            origin.serve("/none.jpg", OriginFile(try PaintedPicture(faces: 0).jpeg()))
            var png = OriginFile(try PaintedPicture(faces: 1).png())
            png.type = "image/png"
            origin.serve("/one.png", png)
            installation = try Installation()
            out = installation.directory.path("copies")
            daemon = try await installation.startDaemon()
            let urls = ["/two.jpg", "/none.jpg", "/one.png"].map { origin.url($0) }
            let added = try await installation.facefetch("add", "--wait", urls[0], urls[1], urls[2])
            #expect(added.status == 0)
        }

        func copies(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(
                "facefetch",
                ["copies", "--out", out] + arguments,
                environment: ["FACEFETCH_SOCKET": installation.socket]
            )
        }

        var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: out).sorted() }
        }

        func documents() throws -> [String: [UInt8]] {
            var all: [String: [UInt8]] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: installation.documents) {
                all[name] = try installation.document(name)
            }
            return all
        }

        func end() async {
            #expect(await daemon.stop() == 0)
            origin.stop()
        }
    }

    @Test("Copies of all kinds are made once, of jobs that a filter leaves, and documents stay as they are")
    func kinds() async throws {
        let scene = try await Scene()
        let before = try scene.documents()
        let crops = try await scene.copies("--crops", "--square")
        #expect(crops.status == 0 && crops.output.isEmpty, "\(crops.errors)")
        #expect(crops.errors.contains("Made 3 copies of 2 pictures in "))
        #expect(crops.errors.contains("1 picture had no faces"))
        let made = ["one-j3-face1.png", "two-j1-face1.jpg", "two-j1-face2.jpg"]
        #expect(try scene.names == made)

        let again = try await scene.copies("--crops", "--square")
        #expect(again.status == 0 && again.errors.contains("Made 0 copies of 2 pictures"))
        #expect(again.errors.contains("kept 3 copies that were there already"))

        let annotated = try await scene.copies("--annotated", "--min-faces", "2")
        #expect(annotated.status == 0, "\(annotated.errors)")
        #expect(try scene.names == made + ["two-j1-faces.jpg"])

        let redacted = try await scene.copies("--redacted", "--match", "two", "--workers", "1")
        #expect(redacted.status == 0, "\(redacted.errors)")
        #expect(redacted.errors.contains("Hid 2 faces, 0 of them with low confidence. Faces can be missed"))
        #expect(try scene.names == made + ["two-j1-faces.jpg", "two-j1-redacted.jpg"])
        let look = try await Program.run("facefetch-detector", [scene.out + "/two-j1-redacted.jpg"])
        #expect(look.output.contains("\"face_count\":0"))
        #expect(try scene.documents() == before)
        await scene.end()
    }

    /// Hides a face that it is sure of and one that it isn't, in whatever picture.
    private static let doubtfulDetector = #"""
        #!/bin/sh
        frame() {
            printf "$(printf '\\%03o' 0 0 $((${#1} >> 8)) $((${#1} & 255)))"
            printf %s "$1"
        }
        frame '{"version":3,"engines":[]}'
        while length=$(dd bs=1 count=4 2>/dev/null | od -An -tu4 --endian=big | tr -d ' '); [ "$length" ]; do
            request=$(dd bs=1 count=$length 2>/dev/null)
            id=${request#*\"id\":}
            id=${id%%[,\}]*}
            face='{"x":10,"y":20,"width":30,"height":40,"confidence":0.3125}'
            frame "{\"id\":$id,\"outcome\":\"made\",\"made\":1,\"kept\":0,\"file\":\"j$id.jpg\",\"faceCount\":2,\"doubtful\":[$face]}"
        done
        """#

    @Test("Faces of low confidence are listed on standard output, with the copy that they are hidden in")
    func doubtful() async throws {
        let scene = try await Scene()
        let programs = try scene.installation.directory.directory("programs")
        try Executable.copy(Program.directory + "/facefetch", to: programs + "/facefetch")
        try Executable.write(Self.doubtfulDetector, to: programs + "/facefetch-detector")
        let run = try await Program.run(
            programs + "/facefetch",
            ["copies", "--redacted", "--out", scene.out, "--min-faces", "1", "--workers", "1"],
            environment: ["FACEFETCH_SOCKET": scene.installation.socket]
        )
        #expect(run.status == 0, "\(run.errors)")
        let place = "1 face of low confidence: 0.31 at 10,20 (30x40)"
        #expect(run.output.split(separator: "\n").sorted() == ["j1.jpg: \(place)", "j3.jpg: \(place)"])
        #expect(run.errors.contains("Made 2 copies of 2 pictures in "))
        #expect(run.errors.contains("Hid 4 faces, 2 of them with low confidence. Faces can be missed"))
        await scene.end()
    }

    @Test("Pictures that can't be copied are named, with status 1, and the others are made")
    func failures() async throws {
        let scene = try await Scene()
        let documents = scene.installation.documents
        // One is gone, one has other bytes of the same length, which nobody can decode.
        unlink(documents + "/none.jpg")
        let length = try scene.installation.document("two.jpg").count
        try scene.installation.directory.write(Array(repeating: 7, count: length), to: "documents/two.jpg")
        let run = try await scene.copies("--redacted")
        #expect(run.status == 1)
        #expect(run.errors.contains("j1, \"two.jpg\", can't be copied: is not a JPEG"), "\(run.errors)")
        #expect(run.errors.contains("j2, \"none.jpg\", can't be copied: its document can't be opened"))
        #expect(run.errors.contains("2 could not be copied"))
        #expect(try scene.names == ["one-j3-redacted.png"])
        // A picture of another size than the one that was looked at has its faces elsewhere.
        let other = try PaintedPicture(faces: 1, seed: 9).jpeg()
        try scene.installation.directory.write(
            other + [UInt8](repeating: 0, count: max(0, length - other.count)),
            to: "documents/two.jpg"
        )
        let crops = try await scene.copies("--crops")
        #expect(crops.status == 1 && crops.errors.contains("is not the picture that was looked at"))
        #expect(try scene.names == ["one-j3-face1.png", "one-j3-redacted.png"])
        // The same size and length, and another sum.
        var png = try scene.installation.document("one.png")
        png[png.count - 1] ^= 1
        try scene.installation.directory.write(png, to: "documents/one.png")
        let changed = try await scene.copies("--annotated", "--match", "one")
        #expect(changed.status == 1 && changed.errors.contains("is not the picture that was looked at"))
        let aligned = try await scene.copies("--crops", "--aligned")
        #expect(aligned.status == 1 && aligned.errors.contains("facefetch detect j3 --engine yunet"))
        await scene.end()
    }

    @Test("Documents are redacted before anybody has looked at them; crops are only of what was looked at")
    func stored() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_WHEN": "held"])
        let follower = try installation.follow()
        #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
        #expect(await follower.outputLine(containing: "stored \"a.jpg\"") != nil)
        let out = installation.directory.path("copies")
        let crops = try await installation.facefetch("copies", "--crops", "--out", out)
        #expect(crops.status == 0 && crops.errors.contains("Made 0 copies of 0 pictures"), "\(crops.errors)")
        let early = try await installation.facefetch("copies", "--redacted", "--out", out)
        #expect(early.status == 0 && early.errors.contains("Made 1 copy of 1 picture in "), "\(early.errors)")
        // Once it is done as well, it is still one picture.
        #expect(try await installation.facefetch("detection", "release").status == 0)
        #expect(await follower.outputLine(containing: "face detection in \"a.jpg\": ") != nil)
        let late = try await installation.facefetch("copies", "--redacted", "--replace", "--out", out)
        #expect(late.status == 0 && late.errors.contains("Made 1 copy of 1 picture in "), "\(late.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["a-j1-redacted.jpg"])
        follower.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
    }

    @Test("Among documents no copy is made, and with no daemon or bad usage nothing at all")
    func refused() async throws {
        let scene = try await Scene()
        let before = try scene.documents()
        let documents = scene.installation.documents
        let own = try await scene.copies("--redacted", "--replace", "--out", documents)
        #expect(own.status == 1 && own.errors.contains("name another folder"), "\(own.errors)")
        #expect(try scene.documents() == before)
        let model = try await scene.copies("--redacted", "--model", "/nowhere.onnx")
        #expect(model.status == 1 && model.errors.contains("/nowhere.onnx can't be read"))
        #expect(model.errors.contains("facefetch-detector, which makes the copies, has ended too early"))
        let file = try scene.installation.directory.write([1], to: "file")
        #expect(try await scene.copies("--crops", "--out", file).status == 1)
        await scene.end()
        #expect(try await scene.copies("--crops").status == 3)
    }

    @Test(
        "On a full disk copies stop with a reason and leave nothing unfinished; with room again they go on",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func fullDisk() async throws {
        let scene = try await Scene()
        let disk = try MemoryDisk(bytes: 4 << 20)
        let out = disk.path + "/copies"
        #expect(mkdir(out, 0o755) == 0)
        disk.fill(leaving: 8192)
        let full = try await scene.copies("--redacted", "--out", out)
        #expect(full.status == 1)
        #expect(full.errors.contains("No space left on device"), "\(full.errors)")
        #expect(full.errors.contains("run it again to go on"))
        let byHand = try await Program.run(
            "facefetch-detector",
            ["--redact", out, scene.installation.documents + "/two.jpg"]
        )
        #expect(byHand.status == 1 && byHand.errors.contains("No space left on device; stopped"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).isEmpty)
        disk.empty()
        #expect(try await scene.copies("--redacted", "--out", out).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).count == 3)
        await scene.end()
    }

    @Test("Killed at any moment, copies are whole under their names, and the next run makes the rest")
    func killed() async throws {
        let scene = try await Scene()
        for attempt in 0..<4 {
            let program = try Program(
                "facefetch",
                ["copies", "--redacted", "--out", scene.out],
                environment: ["FACEFETCH_SOCKET": scene.installation.socket]
            )
            // As far as it gets until something is in the folder, and a little further each time.
            try await waitWhile { ((try? scene.names.isEmpty) ?? true) && kill(program.id, 0) == 0 }
            for _ in 0..<attempt * 200 { await Task.yield() }
            program.signal(SIGKILL)
            _ = await program.status
            for name in (try? scene.names) ?? [] where !name.hasPrefix(".") {
                let look = try await Program.run("facefetch-detector", [scene.out + "/" + name])
                #expect(look.status == 0, "\(name): \(look.errors)")
            }
        }
        // Its workers die with it, but not at the same moment; what one still writes, the run after it keeps.
        #expect(try await scene.copies("--redacted").status == 0)
        let whole = try scene.names.filter { !$0.hasPrefix(".") }
        #expect(whole == ["none-j2-redacted.jpg", "one-j3-redacted.png", "two-j1-redacted.jpg"])
        #expect(try await scene.copies("--redacted").status == 0)
        #expect(try scene.names == whole)
        await scene.end()
    }
}
