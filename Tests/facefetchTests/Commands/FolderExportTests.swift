import Foundation
import Glibc
import TestSupport
import TestTraits
import Testing

@Suite("facefetch export into folders", .ownThread)
struct FolderExportTests {
    private static func export(
        _ items: [EndedList.Item],
        _ arguments: [String]
    ) async throws
        -> ClientProcess.Result
    {
        let daemon = try EndedList(items).daemon()
        return try await ClientProcess.run(["export", "--socket", daemon.socketPath] + arguments)
    }

    private static func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test("voc has an annotation for each picture, whatever its name, and the list of all")
    func voc() async throws {
        let directory = try TemporaryDirectory()
        let items = try ["a&<b>.jpg", "a&<b>.png", "c.jpg", "x .jpg", "#y.jpg", "]]>.jpg"].enumerated().map {
            number,
            name in
            let path = try directory.write(Array("picture".utf8), to: name)
            return EndedList.picture(
                Int64(number + 1),
                name: name,
                path: path,
                bytes: 7,
                faces: number == 2 ? [] : [[0, 0, 400, 300], [10, 20, 30, 40]]
            )
        }
        let gone = EndedList.picture(9, name: "d.jpg", bytes: 7)
        let out = directory.path("set")
        let result = try await Self.export(items + [gone], ["--format", "voc", "--out", out])
        #expect(result.status == 0 && result.errors.contains("j9, \"d.jpg\", is left out"), "\(result)")
        #expect(try Self.names(out) == ["Annotations", "ImageSets", "JPEGImages"])
        #expect(try Self.names(out + "/JPEGImages").count == 6)
        #expect(try Self.names(out + "/Annotations").contains("a&<b>-j2.xml"))
        #expect(try Self.text(out + "/ImageSets/Main/trainval.txt") == "a&<b>\na&<b>-j2\nc\nj4\nj5\n]]>\n")
        let note = try Self.text(out + "/Annotations/a&<b>.xml")
        #expect(try Self.text(out + "/Annotations/j4.xml").contains("<filename>j4.jpg</filename>"))
        #expect(note.contains("<filename>a&amp;&lt;b&gt;.jpg</filename>"))
        #expect(note.contains("<width>400</width>") && note.contains("<height>300</height>"))
        // The first pixel is 1, 1, and the last one is within the box.
        let boxes = note.split(whereSeparator: \.isWhitespace).filter {
            $0.contains("min>") || $0.contains("max>")
        }
        #expect(
            boxes.joined() == "<xmin>1</xmin><ymin>1</ymin><xmax>400</xmax><ymax>300</ymax>"
                + "<xmin>11</xmin><ymin>21</ymin><xmax>40</xmax><ymax>60</ymax>"
        )
        #expect(try !Self.text(out + "/Annotations/c.xml").contains("<object>"))
    }

    @Test("imagefolder names pictures by their jobs, so that no name is taken for that of a split")
    func imagefolder() async throws {
        let directory = try TemporaryDirectory()
        let items = try ["test.jpg", "validation \"x\".jpg"].enumerated().map { number, name in
            let path = try directory.write(Array("picture".utf8), to: name)
            return EndedList.picture(
                Int64(number + 1),
                name: name,
                path: path,
                bytes: 7,
                faces: number == 1 ? [] : [[10, 20, 30, 40]],
                folder: "test/deep"
            )
        }
        let out = directory.path("set")
        let result = try await Self.export(items, ["--format", "imagefolder", "--out", out])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        #expect(try Self.names(out) == ["train"])
        #expect(try Self.names(out + "/train") == ["00000001.jpg", "00000002.jpg", "metadata.jsonl"])
        let lines = try Self.text(out + "/train/metadata.jsonl").split(separator: "\n")
        #expect(
            lines.first == """
                {"file_name":"00000001.jpg","width":400,"height":300,"objects":{"bbox":[[10,20,30,40]],\
                "categories":[0],"confidence":[0.9000]},"faces":1,"job":1,"name":"test.jpg",\
                "folder":"test/deep","url":"https://h/1","sha256":"","source":""}
                """
        )
        #expect(lines.last?.contains(#""bbox":[],"categories":[],"confidence":[]"#) == true)
        let again = try await Self.export(items, ["--format", "imagefolder", "--out", out])
        #expect(again.status == 2 && again.errors.contains("there already"))
    }

    /// The SHA-256 of a file, by coreutils.
    private static func sha256(_ path: String) throws -> String {
        let output = try Shell.run([Shell.find("sha256sum") ?? "", path]).output
        return String(output.drop { $0 == "\\" }.prefix(64))
    }

    private static func inode(_ path: String) -> ino_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_ino : 0
    }

    @Test(
        "A bag has copies of the documents in their folders, with digests of all files that coreutils confirm"
    )
    func bagit() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.directory("documents")
        _ = try directory.directory("documents/x")
        _ = try directory.directory("documents/x/y")
        let names = [
            ("a.jpg", "x/y"), ("a.jpg", nil), ("50% off%0A.jpg", nil), ("line\r\nend.jpg", "x"),
            ("é 雪.jpg", nil),
        ]
        var items: [EndedList.Item] = []
        for (number, (name, folder)) in names.enumerated() {
            let place = "documents/" + (folder.map { $0 + "/" } ?? "") + name
            let path = try directory.write(Array("picture \(number)".utf8), to: place)
            items.append(
                EndedList.picture(
                    Int64(number + 1),
                    name: name,
                    path: path,
                    bytes: 9,
                    folder: folder,
                    sha256: try Self.sha256(path)
                )
            )
        }
        // Not what was stored, though as long; and places outside of the bag.
        let changed = try directory.write(Array("picture X".utf8), to: "documents/changed.jpg")
        items.append(
            EndedList.picture(
                6,
                name: "changed.jpg",
                path: changed,
                bytes: 9,
                sha256: String(repeating: "0", count: 64)
            )
        )
        for (number, folder) in ["../out", "x/../../out", "/out", "x//y", "."].enumerated() {
            items.append(
                EndedList.picture(Int64(7 + number), name: "e.jpg", path: changed, bytes: 9, folder: folder)
            )
        }
        items.append(EndedList.failed(20))
        let out = directory.path("bag")
        // What another that was killed has left, with a link to a folder that is none of it.
        let killed = try ClientProcess(["--version"])
        _ = await killed.result()
        let left = ".bag.facefetch-\(killed.pid)"
        _ = try directory.directory(left + "/data/1/2/3/4/5/6/7/8")
        try directory.write([1], to: left + "/data/1/2/3/4/5/6/7/8/a.jpg")
        symlink(directory.path("documents"), directory.path(left + "/data/1/documents"))
        try directory.write([], to: left + "/.facefetch-export")
        let result = try await Self.export(items, ["--format", "bagit", "--out", out])
        #expect(result.status == 0 && result.errors.contains("j6, \"changed.jpg\", is left out"), "\(result)")
        for job in 7...11 { #expect(result.errors.contains("j\(job), \"e.jpg\", is left out: its folder")) }
        #expect(result.errors.contains("%25, as RFC 8493 has it"))
        #expect(try directory.names() == ["bag", "documents"])
        #expect(
            try Self.names(out) == [
                "bag-info.txt", "bagit.txt", "data", "facefetch.csv", "manifest-sha256.txt",
                "tagmanifest-sha256.txt",
            ]
        )
        #expect(
            try Self.text(out + "/bagit.txt") == "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
        )
        #expect(try Self.text(out + "/bag-info.txt").hasSuffix("Payload-Oxum: 45.5\n"))
        let manifest = try Self.text(out + "/manifest-sha256.txt").split(separator: "\n")
        #expect(
            manifest.map { $0.dropFirst(66) } == [
                "data/x/y/a.jpg", "data/a.jpg", "data/50%25 off%250A.jpg", "data/x/line%0D%0Aend.jpg",
                "data/é 雪.jpg",
            ]
        )
        for (name, folder) in names {
            let path = (folder.map { $0 + "/" } ?? "") + name
            // A link would change the document: the time of its last change, by which the daemon knows it.
            #expect(Self.inode(out + "/data/" + path) != Self.inode(directory.path("documents/" + path)))
        }
        for list in ["tagmanifest-sha256.txt", "manifest-sha256.txt"] {
            for line in try Self.text("\(out)/\(list)").split(separator: "\n") {
                let path = line.dropFirst(66).replacingOccurrences(of: "%0D", with: "\r")
                    .replacingOccurrences(of: "%0A", with: "\n").replacingOccurrences(of: "%25", with: "%")
                #expect(try Self.sha256(out + "/" + path) == line.prefix(64), "\(line)")
            }
        }
        let table = try Self.text(out + "/facefetch.csv").components(separatedBy: "\r\n")
        #expect(table.count >= 7 && table[1].contains(",data/x/y/a.jpg,"))
        let again = try await Self.export(items, ["--format", "bagit", "--out", out])
        #expect(again.status == 2 && again.errors.contains("there already"))
    }

    @Test(
        "Copies are of what was stored: not of where links lead, nor of other bytes of the same length",
        arguments: [
            ["webdataset"], ["yolo", "--copy"], ["voc", "--copy"], ["imagefolder", "--copy"], ["bagit"],
        ]
    )
    func copiesOfDocuments(_ format: [String]) async throws {
        let directory = try TemporaryDirectory()
        for name in ["d", "d/y", "secrets"] { _ = try directory.directory(name) }
        let sound = try directory.write(Array("picture".utf8), to: "d/a.jpg")
        let sum = try Self.sha256(sound)
        let secret = try directory.write(Array("secret!".utf8), to: "secrets/b.jpg")
        #expect(symlink(secret, directory.path("d/b.jpg")) == 0)
        #expect(symlink(directory.path("secrets"), directory.path("d/x")) == 0)
        try directory.write(Array("changed".utf8), to: "d/y/b.jpg")
        let items = [
            EndedList.picture(1, name: "b.jpg", path: directory.path("d/b.jpg"), bytes: 7),
            EndedList.picture(2, name: "b.jpg", path: directory.path("d/x/b.jpg"), bytes: 7, folder: "x"),
            EndedList.picture(
                3,
                name: "b.jpg",
                path: directory.path("d/y/b.jpg"),
                bytes: 7,
                folder: "y",
                sha256: sum
            ),
            EndedList.picture(4, name: "a.jpg", path: sound, bytes: 7, sha256: sum),
        ]
        let arguments = ["--format", format[0], "--out", directory.path("out")] + format.dropFirst()
        let result = try await Self.export(items, arguments)
        #expect(result.status == 0)
        for (job, words) in [(1, "is a link now"), (2, "is a link now"), (3, "is not what was stored")] {
            let line = result.errors.split(separator: "\n").first { $0.contains("j\(job), \"b.jpg\"") }
            #expect(line?.contains(words) == true, "\(result.errors)")
        }
        let bytes = try FileManager.default.subpathsOfDirectory(atPath: directory.path("out")).compactMap {
            FileManager.default.contents(atPath: directory.path("out/" + $0))
        }
        func times(_ word: String) -> Int { bytes.count { $0.range(of: Data(word.utf8)) != nil } }
        #expect(times("secret!") == 0 && times("changed") == 0 && times("picture") > 0)
    }

    @Test(
        "An export leaves documents as the daemon knows them",
        arguments: ["voc", "imagefolder", "bagit", "yolo"]
    )
    func untouched(_ format: String) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("picture".utf8), to: "a.jpg")
        func changed() -> [Int] {
            var status = stat()
            #expect(lstat(path, &status) == 0)
            return [Int(status.st_ctim.tv_sec), status.st_ctim.tv_nsec, Int(status.st_nlink)]
        }
        let before = changed()
        let item = EndedList.picture(1, name: "a.jpg", path: path, bytes: 7)
        #expect(
            try await Self.export([item], ["--format", format, "--out", directory.path("out")]).status == 0
        )
        #expect(changed() == before)
    }

    @Test("Folders in a bag that differ in their bytes alone are two, as they are in the documents directory")
    func likeFolders() async throws {
        let directory = try TemporaryDirectory()
        var items: [EndedList.Item] = []
        for (number, folder) in ["caf\u{E9}", "cafe\u{301}"].enumerated() {
            _ = try directory.directory("documents-\(number)")
            let path = try directory.write(Array("picture".utf8), to: "documents-\(number)/a.jpg")
            items.append(
                EndedList.picture(Int64(number + 1), name: "a.jpg", path: path, bytes: 7, folder: folder)
            )
        }
        let out = directory.path("bag")
        let result = try await Self.export(items, ["--format", "bagit", "--out", out])
        #expect(result.status == 0, "\(result)")
        #expect(try Self.names(out + "/data").map { $0.unicodeScalars.count }.sorted() == [4, 5])
    }

    @Test(
        "A link that can't be removed from what a killed export has left isn't followed",
        .enabled(if: geteuid() != 0, "root removes everything")
    )
    func leftLink() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.directory("documents")
        let path = try directory.write(Array("picture".utf8), to: "documents/a.jpg")
        let killed = try ClientProcess(["--version"])
        _ = await killed.result()
        let left = ".bag.facefetch-\(killed.pid)/data"
        _ = try directory.directory(left)
        symlink(directory.path("documents"), directory.path(left + "/documents"))
        chmod(directory.path(left), 0o555)
        defer { chmod(directory.path(left), 0o755) }
        let item = EndedList.picture(1, name: "a.jpg", path: path, bytes: 7)
        let result = try await Self.export([item], ["--format", "bagit", "--out", directory.path("bag")])
        #expect(result.status == 0, "\(result)")
        #expect(try Self.text(path) == "picture")
    }

    @Test("A sidecar of more than 1,000 faces is told, since exiftool reads no more")
    func crowd() async throws {
        let directory = try TemporaryDirectory()
        let faces = (0...1000).map { [$0 % 390, $0 % 290, 5, 5] }
        let items = try [("crowd.jpg", faces), ("few.jpg", Array(faces.prefix(1000)))].enumerated().map {
            let path = try directory.write(Array("picture".utf8), to: $1.0)
            return EndedList.picture(Int64($0 + 1), name: $1.0, path: path, bytes: 7, faces: $1.1)
        }
        let result = try await Self.export(items, ["--format", "xmp"])
        #expect(result.status == 0 && result.errors.contains("\"crowd.jpg\", has 1,001 faces"), "\(result)")
        #expect(!result.errors.contains("few.jpg"))
    }
}
