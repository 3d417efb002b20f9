import DetectorProtocol
import Foundation
import PaintedPictures
import TestTraits
import Testing

@Suite(.ownThread) struct CommandLineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Files named by hand get a line of JSON each, in order, with the promised keys in order")
    func lines() throws {
        let one = PaintedPicture(faces: 1)
        _ = try folder.file("a.jpg", one.jpeg())
        _ = try folder.file("b \"2\".png", PaintedPicture(faces: 2).png())
        let run = try Detector(["a.jpg", "b \"2\".png"], in: folder.path)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let lines = run.lines
        #expect(lines.map { $0["file"] as? String } == ["a.jpg", "b \"2\".png"])
        #expect(lines.map { $0["face_count"] as? Int } == [1, 2])
        #expect(
            lines.allSatisfy { $0["engine"] as? String == "haar" && $0["outcome"] as? String == "counted" }
        )
        #expect(lines.allSatisfy { ($0["seconds"] as? Double ?? 0) > 0 })
        let face = try #require((lines[0]["faces"] as? [[String: Any]])?.first)
        #expect(Set(face.keys) == ["x", "y", "width", "height", "confidence", "landmarks"])
        #expect(face["landmarks"] is NSNull)
        #expect(lines[0]["looks"] as? [Int] == [max(one.width, one.height)])
        let x = try #require(face["x"] as? Int)
        #expect(abs(x - one.faces[0].x) < 20)
        let first = try #require(run.output.split(separator: "\n").first)
        let order = ["file", "outcome", "face_count", "faces", "looks", "engine", "seconds"].map {
            "\"\($0)\""
        }
        let places = order.compactMap { first.range(of: $0)?.lowerBound }
        #expect(places.count == order.count && places == places.sorted())
    }

    @Test("A file that can't be looked at has a line too, its reason on standard error, and status 1")
    func unreadable() throws {
        let page = try folder.file("page.jpg", Array("<html>".utf8))
        let good = try folder.file("good.jpg", PaintedPicture(faces: 1).jpeg())
        let run = try Detector([page, folder.path + "/none.jpg", good])
        #expect(run.status == 1)
        #expect(run.lines.map { $0["outcome"] as? String } == ["unreadable", "unreadable", "counted"])
        #expect(run.lines[0]["face_count"] is NSNull)
        #expect(
            run.errors == """
                facefetch-detector: \(page): is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP or RAW picture
                facefetch-detector: \(folder.path)/none.jpg: can't be opened: No such file or directory

                """
        )
    }

    @Test("What steers a terminal or hides text in a file's name is printed as an escape that means the same")
    func escapes() throws {
        let name = "a\u{9B}31m\u{202E}b\u{2028}c\u{E0001}é.jpg"
        _ = try folder.file(name, Array("<html>".utf8))
        let run = try Detector([name], in: folder.path)
        #expect(run.lines.first?["file"] as? String == name)
        for scalar in "\u{9B}\u{202E}\u{2028}\u{E0001}".unicodeScalars {
            #expect(!(run.output + run.errors).unicodeScalars.contains(scalar), "\(scalar.value)")
        }
        #expect(run.errors.contains(#"a\u009b31m\u202eb"#) && run.errors.contains("é.jpg"))
    }

    @Test("Copies with boxes are written into the folder, and never over anything")
    func annotated() throws {
        let picture = try folder.file("a.png", PaintedPicture(faces: 1).png())
        let copies = folder.path + "/copies"
        try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: false)
        for _ in 1...2 {
            let run = try Detector(["--annotate", copies, picture])
            #expect(run.status == 0, "\(run.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: copies).sorted()
        #expect(names == ["a-faces (2).jpg", "a-faces.jpg"])
        #expect(try Detector([copies + "/a-faces.jpg"]).lines.count == 1)
        let again = try Detector(["--annotate", copies, "--replace", picture])
        #expect(again.lines.first?["copies"] as? [String] == ["a-faces.jpg"])
        let run = try Detector(["--annotate", folder.path + "/none/none", picture])
        #expect(run.status == 2 && run.errors.contains("can't be made"))
    }

    @Test(
        "Bad usage ends with 2 and says what to do",
        arguments: [
            ([], "give the pictures to look at"), (["--bogus", "a.jpg"], "Unknown option '--bogus'"),
            (["--engine", "magic", "a.jpg"], "magic"),
            (["--engine", "yunet", "a.jpg"], "facefetch model install"),
            (["--engine", "yunet", "--model", "/none.onnx", "a.jpg"], "/none.onnx can't be read"),
            (["--engine", "yunet", "--model", "/etc/hostname", "a.jpg"], "has SHA-256"),
            (["--cascade", "/none.xml", "a.jpg"], "opencv-data"),
            (["--small-faces", "sometimes", "a.jpg"], "sometimes"),
            (["--working-size", "5", "a.jpg"], "64 to 8192"),
            (["--serve", "a.jpg"], "take no files"),
        ]
    )
    func usage(_ arguments: [String], _ message: String) throws {
        let run = try Detector(arguments)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("Help goes to standard output and ends with 0")
    func help() throws {
        let run = try Detector(["--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("--annotate"))
        #expect(run.output.contains("EXIT STATUS"))
        // Where to get a network, and how to know it.
        #expect(run.output.contains("8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"))
        #expect(run.errors == "")
    }

    @Test("On standard input it answers frame for frame until the end")
    func serve() throws {
        let picture = try folder.file("a.jpg", PaintedPicture(faces: 3).jpeg())
        let frames = try [DetectorRequest(id: 7, path: picture), DetectorRequest(id: 8, path: "/etc/passwd")]
            .flatMap { try DetectorFrame.encode($0) }
        let run = try Detector(["--serve", "--documents", folder.path], input: frames)
        #expect(run.status == 0, "\(run.errors)")
        var decoder = FrameDecoder()
        decoder.append(run.bytes)
        let greeting = try #require(try decoder.next(DetectorGreeting.self))
        #expect(greeting.engines.map(\.name) == ["haar"])
        let first = try #require(try decoder.next(DetectorResponse.self))
        #expect(first.id == 7)
        #expect(first.faces.count == 3)
        #expect(first.width == 780 && first.height == 360)
        #expect(first.looks == [780])
        #expect(greeting.engines.first?.parameters.hasSuffix("small-faces=auto rule=4") == true)
        let second = try #require(try decoder.next(DetectorResponse.self))
        #expect(second.id == 8)
        #expect(second.outcome == .unreadable)
        #expect(second.message == "can't be opened: Permission denied")
        #expect(decoder.isBetweenMessages)
    }

    @Test("A look for which no time is left costs only itself")
    func lateLook() throws {
        let picture = try folder.file("a.jpg", PaintedPicture(faces: 3).jpeg())
        // The five seconds are for the daemon to hear of it: a look after the first has no time at all.
        for (limit, looks) in [("300", 2), ("5", 1)] {
            let run = try Detector(
                ["--serve", "--documents", folder.path, "--working-size", "320", "--small-faces", "always"]
                    + ["--time-limit", limit],
                input: try DetectorFrame.encode(DetectorRequest(id: 7, path: picture))
            )
            #expect(run.status == 0, "\(run.errors)")
            var decoder = FrameDecoder()
            decoder.append(run.bytes)
            _ = try decoder.next(DetectorGreeting.self)
            let answer = try #require(try decoder.next(DetectorResponse.self))
            #expect(answer.outcome == .counted && answer.looks?.count == looks, "\(answer)")
            #expect(answer.looks?.first == 320)
        }
    }

    @Test("Garbage on standard input ends it with a reason")
    func garbage() throws {
        let run = try Detector(["--serve"], input: Array(repeating: 0xFF, count: 100))
        #expect(run.status == 1)
        #expect(run.errors.contains("a message of 4294967295 bytes"))
    }
}
