import Foundation
import Glibc
import PaintedPictures
import TestSupport
import TestTraits
import Testing

/// Copies as `facefetch-detector` makes them of files.
@Suite(.ownThread) struct CopyTests {
    private let folder: TemporaryFolder
    private let out: String

    init() throws {
        folder = try TemporaryFolder()
        out = folder.path + "/out"
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: out).sorted()
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: out + "/" + name)))
    }

    private func boxes(_ line: [String: Any]) -> [(x: Double, y: Double, width: Double, height: Double)] {
        (line["faces"] as? [[String: Any]] ?? []).map { face in
            let side = { (key: String) in Double(face[key] as? Int ?? 0) }
            return (side("x"), side("y"), side("width"), side("height"))
        }
    }

    @Test("A crop has its face in the middle, for all orientations, and of HEIC as well")
    func crops() throws {
        let painted = PaintedPicture(faces: 2, seed: 7)
        var files: [String] = []
        for orientation in Orientation.allCases {
            let name = "\(orientation.rawValue)"
            files.append(try folder.file(name + ".jpg", painted.jpeg(orientation: orientation)))
        }
        files.append(try folder.file("9.heic", painted.heic(orientation: .needsClockwise)))
        let made = try Detector(["--crops", out] + files)
        #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        let copies = try names()
        #expect(copies.count == 18 && copies.first == "1-face1.jpg" && copies.last == "9-face2.jpg")
        #expect(made.lines.first?["copies"] as? [String] == ["1-face1.jpg", "1-face2.jpg"])
        let sizes = made.lines.flatMap(boxes)
        for (size, line) in zip(sizes, try Detector(copies.map { out + "/" + $0 }).lines) {
            let faces = boxes(line)
            #expect(faces.count == 1)
            guard let face = faces.first else { continue }
            let (x, y) = (face.x + face.width / 2, face.y + face.height / 2)
            #expect(abs(x - size.width * 0.65) < size.width * 1.3 * 0.05, "\(line["file"] ?? "")")
            #expect(abs(y - size.height * 0.65) < size.height * 1.3 * 0.05, "\(line["file"] ?? "")")
        }
    }

    @Test("Copies of what was compressed without loss are PNGs, of others JPEGs, and squares are squares")
    func formats() throws {
        let painted = PaintedPicture(faces: 1)
        let files = try [
            folder.file("a", painted.png()), folder.file("b", painted.gif()),
            folder.file("c", painted.tiff()), folder.file("d", painted.webp()),
            folder.file("e", painted.avif()),
        ]
        #expect(try Detector(["--crops", out, "--square"] + files).status == 0)
        #expect(
            try names() == ["a-face1.png", "b-face1.png", "c-face1.png", "d-face1.jpg", "e-face1.jpg"]
        )
        let png = try bytes("a-face1.png")
        #expect(png[16..<20] == png[20..<24])
        #expect(try bytes("d-face1.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test("What is there is kept, a link too, unless it is to be replaced; a link is, not what it leads to")
    func existing() throws {
        let file = try folder.file("a.jpg", PaintedPicture(faces: 1).jpeg())
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
        let theirs = try folder.file("theirs", Array("theirs".utf8))
        let copy = out + "/a-redacted.jpg"
        #expect(symlink(theirs, copy) == 0)
        let kept = try Detector(["--redact", out, file])
        #expect(kept.status == 0 && kept.lines.first?["outcome"] as? String == "kept")
        #expect(kept.lines.first?["face_count"] is NSNull)
        let made = try Detector(["--redact", out, "--replace", file])
        #expect(made.status == 0 && made.lines.first?["face_count"] as? Int == 1, "\(made.errors)")
        #expect(try names() == ["a-redacted.jpg"])
        #expect(try bytes("a-redacted.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try String(contentsOfFile: theirs, encoding: .utf8) == "theirs")
        var status = stat()
        #expect(lstat(copy, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
        // A folder in the place of a copy stays.
        unlink(copy)
        #expect(mkdir(copy, 0o777) == 0)
        let refused = try Detector(["--redact", out, "--replace", file])
        #expect(refused.status == 1 && refused.errors.contains("a-redacted.jpg can't be written"))
        #expect(try names() == ["a-redacted.jpg"])
    }

    @Test("Hostile names stay in the folder, are seen, and don't collide")
    func hostileNames() throws {
        let picture = try PaintedPicture(faces: 1).jpeg()
        let other = folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let long = String(repeating: "n", count: 251)
        let files = try [
            "a.jpg", "other/a.jpg", "a (2).jpg", "a.png", ".facefetch-copy-1-1.jpg", "..jpg",
            "new\nline\u{1b}[31m.jpg", "\u{202e}gpj.jpg", long + ".jpg", "other/" + long + ".jpg", "-rf",
        ].map { try folder.file($0, picture) }
        let made = try Detector(["--crops", out] + files)
        #expect(made.status == 0, "\(made.errors)")
        let cut = String(repeating: "n", count: 200)
        #expect(
            try Set(names()) == [
                "a-face1.jpg", "a (2)-face1.jpg", "a (2) (2)-face1.jpg", "a (3)-face1.jpg",
                "_facefetch-copy-1-1-face1.jpg", "_-face1.jpg", "new_line_[31m-face1.jpg", "_gpj-face1.jpg",
                "\(cut)-face1.jpg", "\(cut) (2)-face1.jpg", "-rf-face1.jpg",
            ]
        )
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)).count == 11)
    }

    @Test("A folder that has the picture is none for its copies: the picture stays as it is")
    func ownFolder() throws {
        let picture = try PaintedPicture(faces: 1).jpeg()
        let file = try folder.file("a.jpg", picture)
        let run = try Detector(["--redact", ".", "--replace", "a.jpg"], in: folder.path)
        #expect(run.status == 1 && run.errors.contains("name another folder"))
        #expect(try Array(Data(contentsOf: URL(filePath: file))) == picture)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.jpg"])
    }

    @Test("What can't be copied is named, the others are made, and nothing unfinished is left")
    func failures() throws {
        let picture = try PaintedPicture(faces: 1).jpeg()
        let files = try [
            folder.file("cut.jpg", Array(picture.prefix(picture.count / 2))), folder.path + "/gone.jpg",
            folder.file("page.jpg", Array("<html>".utf8)), folder.file("good.jpg", picture),
        ]
        for kind in [["--redact", out], ["--crops", out], ["--annotate", out]] {
            let run = try Detector(kind + files)
            #expect(run.status == 1)
            #expect(run.lines.map { $0["outcome"] as? String ?? "" }.suffix(1) == ["counted"])
            for name in ["cut.jpg: ", "gone.jpg: can't be opened", "page.jpg: is not"] {
                #expect(run.errors.contains(name), "\(run.errors)")
            }
        }
        #expect(try names() == ["good-face1.jpg", "good-faces.jpg", "good-redacted.jpg"])
        // A picture whose process is killed costs its own copy, and the next one has its turn.
        let good = Array(files.suffix(1))
        let late = try Detector(["--redact", out + "2", "--time-limit", "0.001"] + good + good)
        #expect(late.status == 1)
        #expect(late.lines.map { $0["outcome"] as? String } == ["timed_out", "timed_out"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: out + "2").isEmpty)
    }

    @Test("What a kill has left goes with the next run, and what another run is writing stays")
    func leftovers() throws {
        let file = try folder.file("a.jpg", PaintedPicture(faces: 1).jpeg())
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
        for name in [".facefetch-copy-1-1", ".facefetch-copy-1-2", ".other"] {
            _ = try folder.file("out/" + name, [1])
        }
        let busy = open(out + "/.facefetch-copy-1-2", O_RDONLY | O_CLOEXEC)
        defer { close(busy) }
        #expect(flock(busy, LOCK_EX) == 0)
        #expect(try Detector(["--crops", out, file]).status == 0)
        #expect(try names() == [".facefetch-copy-1-2", ".other", "a-face1.jpg"])
    }

    /// The calls by which a copy comes about, each with what it is known by.
    private static let steps = [
        // Its file is made, locked, synced, and gets its name.
        "openat/2=\(O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)",
        "flock/1=\(LOCK_EX | LOCK_NB)", "fsync", "renameat2",
    ]

    @Test("Killed at any step, it leaves nothing under a copy's name, and the next run makes the copy")
    func killed() throws {
        let file = try folder.file("a.jpg", PaintedPicture(faces: 1).jpeg())
        for (number, step) in Self.steps.enumerated() {
            let run = try Detector(["--redact", out, file], on: .killing(step))
            #expect(run.status == -SIGSYS, "\(step): \(run.errors)")
            let left = try names()
            #expect(left.count == min(number, 1), "\(step): \(left)")
            #expect(left.allSatisfy { $0.hasPrefix(".facefetch-copy-") }, "\(step): \(left)")
        }
        #expect(try Detector(["--redact", out, file]).status == 0)
        #expect(try names() == ["a-redacted.jpg"])
    }

    @Test("Without Landlock, which keeps copies in their folder, none are made")
    func withoutLandlock() throws {
        let file = try folder.file("a.jpg", PaintedPicture(faces: 1).jpeg())
        let run = try Detector(
            ["--redact", out, file],
            on: .init(refused: "landlock_create_ruleset", error: ENOSYS)
        )
        #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("no Landlock"))
        #expect(try names().isEmpty)
    }

    @Test(
        "Bad usage of copies ends with 2 and says what to do",
        arguments: [
            (["--crops", "o", "--redact", "o", "a.jpg"], "one of --annotate, --crops and --redact"),
            (["--square", "a.jpg"], "are for --crops"),
            (["--crops", "o", "--square", "--aligned", "a.jpg"], "either --square or --aligned"),
            (["--crops", "o", "--aligned", "a.jpg"], "needs --engine yunet"),
            (["--with", "blur", "a.jpg"], "--with is for --redact"),
            (["--redact", "o", "--with", "ink", "a.jpg"], "ink"),
            (["--replace", "a.jpg"], "--replace is for copies"),
            (["--crops", "/nowhere/o", "a.jpg"], "/nowhere/o can't be made"),
            (["--redact", "/etc/hostname", "a.jpg"], "/etc/hostname can't be opened"),
        ]
    )
    func usage(_ arguments: [String], _ message: String) throws {
        let run = try Detector(arguments, in: folder.path)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
