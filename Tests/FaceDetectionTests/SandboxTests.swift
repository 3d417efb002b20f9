import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing

@Suite(.ownThread) struct SandboxTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// True if this kernel has Landlock; without it some attempts are rightly allowed.
    private static let hasLandlock =
        (try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8))?.contains("landlock")
        ?? true

    /// Attempts in either process, and their refusals.
    private static let refusals = [
        "make a file (Operation not permitted)", "write to a file inside (Operation not permitted)",
        "remove a file (Operation not permitted)", "map memory to run (Operation not permitted)",
        "call clone3 (Function not implemented)", "call openat2 (Function not implemented)",
        "take 64 GiB of memory (Cannot allocate memory)", "set a resource limit (Operation not permitted)",
        "leave a core dump (Operation not permitted)", "outlive an abort (Operation not permitted)",
    ]

    /// One check of the sandbox, for all tests: three of its attempts last as long as they may.
    private struct Check: Sendable {
        let status: Int32
        let lines: [String]
        let errors: String
        /// The content of the picture's file and folder afterwards.
        let content: String
        let names: [String]

        init() throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("picture.jpg", Array("picture".utf8))
            // Long enough for a thousand opens that another process counts, on a machine with other work.
            let arguments = ["--check-sandbox", file, "--time-limit", "5"]
            let run = try Detector(arguments + (SandboxTests.hasLandlock ? ["--require-landlock"] : []))
            (status, errors) = (run.status, run.errors)
            lines = run.output.split(separator: "\n").map(String.init)
            content = try String(contentsOfFile: file, encoding: .utf8)
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }
    }

    private static let check = Result { try Check() }

    @Test(
        "From inside the process that looks, nothing works but opening the picture",
        .enabled(if: hasLandlock)
    )
    func looker() throws {
        let check = try Self.check.get()
        #expect(check.status == 0, "\(check.lines) \(check.errors)")
        #expect(check.errors == "")
        let lines = check.lines.filter { !$0.hasPrefix("decoder ") }
        #expect(lines.filter { $0.hasPrefix("refused: ") }.count == lines.count - 1)
        for attempt in Self.refusals + [
            "read a file outside (Permission denied)", "be traced (Operation not permitted)",
            "open a TCP socket (Operation not permitted)", "open a unix socket (Operation not permitted)",
            "run a program (Operation not permitted)", "make a process (Operation not permitted)",
            "send a signal (Operation not permitted)", "load code into the kernel (Operation not permitted)",
        ] {
            #expect(lines.contains("refused: \(attempt)"), "\(attempt)")
        }
        #expect(lines.last == "allowed: read inside")
        #expect(check.content == "picture")
        #expect(check.names == ["picture.jpg"])
    }

    @Test("From inside a process that decodes, nothing can be opened, and that is counted")
    func opening() throws {
        let lines = try Self.check.get().lines
        for attempt in Self.refusals.filter({ !$0.contains("file") }) + [
            "read a request (No data available)", "send itself a signal (Operation not permitted)",
            "have another descriptor (Bad file descriptor)",
            "ask about a path (Operation not permitted)", "remove a file (Operation not permitted)",
        ] {
            #expect(lines.contains("decoder refused: \(attempt)"), "\(attempt)")
        }
        for attempt in [
            "read a file outside", "list a folder outside", "read a process's memory through /proc",
            "write to a file inside", "make a file", "open the picture to write",
        ] {
            let line = "decoder refused: \(attempt) (Operation not permitted), 1 open counted"
            #expect(lines.contains(line), "\(attempt)")
        }
        let endless = try #require(lines.first { $0.hasPrefix("decoder lost: open files without end") })
        #expect(endless.contains("signal 9, having tried to open 1001 files"))
    }

    @Test(
        "A process that decodes is killed for what no decoder does",
        arguments: [
            "open a TCP socket", "open a unix socket", "make a pair of sockets", "run a program",
            "make a process", "make a process by clone", "be traced", "send a signal", "change the user",
            "make an I/O ring", "read another process's memory", "leave a namespace",
            "load code into the kernel",
        ]
    )
    func deadly(_ attempt: String) throws {
        let line = try Self.check.get().lines.first { $0.hasPrefix("decoder lost: \(attempt) (") }
        #expect(line?.contains("a system call that no decoder makes") == true, "\(line ?? "not lost")")
    }

    @Test("A process that decodes has threads one after the other, but not without end")
    func threads() throws {
        let lines = try Self.check.get().lines
        #expect(
            lines.contains(
                "decoder refused: have threads without end (Resource temporarily unavailable), "
                    + "1 thread counted"
            )
        )
        #expect(lines.contains("decoder allowed: have threads one by one"))
    }

    @Test("A process that decodes may write what nobody reads any more")
    func broken() throws {
        #expect(try Self.check.get().lines.contains("decoder allowed: write what nobody reads"))
    }

    @Test("A process that decodes can't outlive its time, whether it sleeps, works or has answered")
    func time() throws {
        let lines = try Self.check.get().lines
        for attempt in ["sleep without end", "work without end", "stay after the answer"] {
            #expect(lines.contains("decoder lost: \(attempt) (the decoder took longer than 5.0 seconds)"))
        }
    }

    @Test(
        "Every format is decoded inside the sandbox, with either engine's libraries",
        .enabled(if: hasLandlock)
    )
    func decodes() throws {
        let picture = PaintedPicture(faces: 1)
        let files = try [
            folder.file("a", picture.jpeg(progressive: true)),
            folder.file("b", picture.png(interlaced: true)),
            folder.file("c", picture.webp()), folder.file("d", picture.gif()),
            folder.file("e", picture.tiff()),
            folder.file("f", picture.heic()), folder.file("g", picture.avif()),
            folder.file("h", picture.jpeg(colour: .cmyk)),
            folder.file("k", picture.jpeg(colour: .profiled)),
            folder.file("i", picture.png(colour: .deepAlpha)),
        ]
        let run = try Detector(files)
        #expect(run.lines.map { $0["face_count"] as? Int } == Array(repeating: 1, count: files.count))
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test("A picture past the memory limit is unreadable, not the end of the detector")
    func memory() throws {
        // 900 megapixels, interlaced: a whole picture of 2.7 GB from a file that is all but empty.
        var png = try PaintedPicture(width: 8, height: 8).png(interlaced: true)
        png.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        png.replaceSubrange(29..<33, with: PNGChunks.checksum(png[12..<29]))
        let run = try Detector([
            folder.file("bomb.png", png), folder.file("good.jpg", PaintedPicture(faces: 1).jpeg()),
        ])
        #expect(run.lines.map { $0["outcome"] as? String } == ["unreadable", "counted"])
        #expect(run.status == 1)
    }

    @Test("A picture whose texts unpack to more than there is has run out of memory, and hasn't crashed")
    func texts() throws {
        let text = PNGChunks.text(compressed: try Compressed.zlib([UInt8](repeating: 0x20, count: 7 << 20)))
        let png = try PaintedPicture(faces: 1).png()
        // The signature takes 8 bytes, the header chunk 25.
        let bomb = png[..<33] + Array(repeatElement(text, count: 200).joined()) + png[33...]
        let file = try folder.file("bomb.png", Array(bomb))
        let run = try Detector([file], memory: 700 << 20)
        #expect(run.lines.map { $0["outcome"] as? String } == ["unreadable"], "\(run.errors)")
        #expect(run.errors.contains("takes more memory to decode than a picture may"), "\(run.errors)")
    }
}
