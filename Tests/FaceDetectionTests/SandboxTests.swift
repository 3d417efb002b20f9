import Foundation
import PaintedPictures
import Testing

@Suite struct SandboxTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Whether this kernel has Landlock; without it some attempts are rightly allowed.
    private static let hasLandlock =
        (try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8))?.contains("landlock")
        ?? true

    @Test("From inside a detector, nothing works but reading the picture", .enabled(if: hasLandlock))
    func refusals() throws {
        let file = try folder.file("picture.jpg", Array("picture".utf8))
        let check = try Detector(["--check-sandbox", file, "--require-landlock"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let lines = check.output.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("refused: ") }.count == lines.count - 1)
        for attempt in [
            "read a file outside (Permission denied)", "make a file (Operation not permitted)",
            "write to a file inside (Operation not permitted)", "remove a file (Operation not permitted)",
            "open a TCP socket (Operation not permitted)", "open a unix socket (Operation not permitted)",
            "run a program (Operation not permitted)", "make a process (Operation not permitted)",
            "be traced (Operation not permitted)", "send a signal (Operation not permitted)",
            "map memory to run (Operation not permitted)", "call clone3 (Function not implemented)",
            "call openat2 (Function not implemented)", "take 64 GiB of memory (Cannot allocate memory)",
            "set a resource limit (Operation not permitted)", "leave a core dump (Operation not permitted)",
        ] {
            #expect(lines.contains("refused: \(attempt)"), "\(attempt)")
        }
        #expect(lines.last == "allowed: read inside")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "picture")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["picture.jpg"])
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
            folder.file("h", picture.jpeg(colour: .cmyk)), folder.file("i", picture.png(colour: .deepAlpha)),
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
}
