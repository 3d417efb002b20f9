import ExportFormats
import Foundation
import Glibc
import SmallFiles
import TestSupport
import Testing

@testable import Sidecars

/// Sidecars as files.
struct SidecarPlaceTests {
    private let directory: TemporaryDirectory
    private let place = SidecarPlace(temporaryName: ".temporary")

    init() throws { directory = try TemporaryDirectory() }

    private func job(_ name: String = "a.jpg", faces: [Box], picture: String = "pixels") throws -> ExportedJob
    {
        let path = try directory.write(Array(picture.utf8), to: name)
        return Self.job(path, name: name, faces: faces, bytes: picture.utf8.count)
    }

    static func job(_ path: String, name: String, faces: [Box], bytes: Int) -> ExportedJob {
        var job = ExportedJob(id: 1)
        (job.name, job.path, job.bytes) = (name, path, Int64(bytes))
        var detection = ExportedDetection()
        detection.outcome = "counted"
        (detection.width, detection.height, detection.orientation) = (100, 80, 6)
        detection.faces = faces.map { ExportedFace(box: $0, confidence: 0.9) }
        job.detection = detection
        return job
    }

    /// No document has the name of a sidecar.
    private static func none(_ path: String) -> Bool { false }

    private static let face = Box(x: 10, y: 20, width: 30, height: 40)
    private static let other = Box(x: 1, y: 2, width: 3, height: 4)

    private func text(_ name: String = "a.jpg.xmp") throws -> String {
        String(decoding: try directory.read(name), as: UTF8.self)
    }

    @Test("A sidecar stands beside its picture, as readable as that, and is rewritten only for a new result")
    func rewrites() throws {
        let first = try job(faces: [Self.face])
        chmod(directory.path("a.jpg"), 0o640)
        #expect(try place.put(first, unless: Self.none) == .written)
        #expect(try directory.names() == ["a.jpg", "a.jpg.xmp"])
        var status = stat()
        #expect(stat(directory.path("a.jpg.xmp"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try place.put(first, unless: Self.none) == .unchanged)
        let before = try text()
        #expect(try place.put(try job(faces: [Self.face, Self.other]), unless: Self.none) == .written)
        #expect(try text() != before)
        #expect(try directory.names() == ["a.jpg", "a.jpg.xmp"])
    }

    @Test("Where a new look finds no faces, a sidecar of ours goes; where there never was one, none comes")
    func noFaces() throws {
        #expect(try place.put(try job(faces: []), unless: Self.none) == .nothing)
        #expect(try place.put(try job(faces: [Self.face]), unless: Self.none) == .written)
        #expect(try place.put(try job(faces: []), unless: Self.none) == .removed)
        #expect(try directory.names() == ["a.jpg"])
        try directory.write(Array("theirs".utf8), to: "a.jpg.xmp")
        #expect(try place.put(try job(faces: []), unless: Self.none) == .nothing)
        #expect(try text() == "theirs")
    }

    @Test("A sidecar of a document that is removed while it is written doesn't stay")
    func removedMeanwhile() throws {
        #expect(try place.put(try job(faces: [Self.face]), unless: Self.none) == .written)
        let outcome = try place.put(try job(faces: [Self.other])) { _ in
            unlink(directory.path("a.jpg"))
            return false
        }
        #expect(outcome == .leftAlone(.document(.missing(errno: ENOENT))))
        #expect(try directory.names().isEmpty)
    }

    @Test(
        """
        Nothing of somebody else's is touched: a sidecar, ours once it is changed, one named without the \
        extension, a link, a folder
        """
    )
    func foreign() throws {
        let picture = try job(faces: [Self.face])
        let target = directory.path("a.jpg.xmp")
        try directory.write(Array("<x:xmpmeta/>".utf8), to: "a.jpg.xmp")
        #expect(try place.put(picture, unless: Self.none) == .leftAlone(.foreign(path: target)))
        #expect(try text() == "<x:xmpmeta/>")
        unlink(target)
        #expect(try place.put(picture, unless: Self.none) == .written)
        let changed = try text().replacingOccurrences(of: "Face", with: "Pet")
        try directory.write(Array(changed.utf8), to: "a.jpg.xmp")
        #expect(
            try place.put(try job(faces: [Self.other]), unless: Self.none)
                == .leftAlone(.foreign(path: target))
        )
        #expect(try text() == changed)
        unlink(target)
        try directory.write([], to: "a.xmp")
        #expect(
            try place.put(picture, unless: Self.none) == .leftAlone(.foreign(path: directory.path("a.xmp")))
        )
        unlink(directory.path("a.xmp"))
        #expect(symlink(directory.path("elsewhere"), target) == 0)
        #expect(try place.put(picture, unless: Self.none) == .leftAlone(.foreign(path: target)))
        unlink(target)
        _ = try directory.directory("a.jpg.xmp")
        #expect(try place.put(picture, unless: Self.none) == .leftAlone(.foreign(path: target)))
    }

    @Test("A picture with regions gets none, nor one that isn't what was stored, or of unknown size")
    func leftAlone() throws {
        let regions = "…xmlns:mwg-rs=\"http://www.metadataworkinggroup.com/schemas/regions/\"…"
        #expect(
            try place.put(try job(faces: [Self.face], picture: regions), unless: Self.none)
                == .leftAlone(.hasRegions)
        )
        var picture = try job(faces: [Self.face])
        picture.bytes += 1
        #expect(try place.put(picture, unless: Self.none) == .leftAlone(.document(.changed)))
        unlink(directory.path("a.jpg"))
        #expect(try place.put(picture, unless: Self.none) == .leftAlone(.document(.missing(errno: ENOENT))))
        picture.detection?.width = nil
        #expect(try place.put(picture, unless: Self.none) == .leftAlone(.noSize))
        #expect(try directory.names().isEmpty)
    }

    @Test("A name of 251 bytes has a sidecar, and one of 252 is told", arguments: [251, 252])
    func longNames(length: Int) throws {
        let name = String(repeating: "é", count: 120) + String(repeating: "a", count: length - 244) + ".jpg"
        let outcome = try place.put(try job(name, faces: [Self.face]), unless: Self.none)
        #expect(outcome == (length == 251 ? .written : .leftAlone(.nameTooLong)))
    }

    @Test("What a kill has left is no hindrance, and doesn't stay")
    func afterAKill() throws {
        try directory.write(Array("half".utf8), to: ".temporary")
        #expect(try place.put(try job(faces: [Self.face]), unless: Self.none) == .written)
        #expect(try !directory.names().contains(".temporary"))
        try directory.write(Array("half".utf8), to: ".temporary")
        place.clean(folder: directory.path)
        #expect(try !directory.names().contains(".temporary"))
    }

    @Test("Nothing is read, written or removed where a link leads that has a folder's place")
    func linkedFolder() throws {
        for name in ["x", "secrets"] { _ = try directory.directory(name) }
        var picture = try job("x/a.jpg", faces: [Self.face])
        (picture.name, picture.folder) = ("a.jpg", "x")
        try directory.write(Array("pixels".utf8), to: "secrets/a.jpg")
        #expect(try place.put(picture, unless: Self.none) == .written)
        let sidecar = try directory.read("x/a.jpg.xmp")
        try directory.write(sidecar, to: "secrets/a.jpg.xmp")
        #expect(rename(directory.path("x"), directory.path("y")) == 0)
        #expect(symlink("secrets", directory.path("x")) == 0)
        for faces in [[Self.other], []] {
            picture.detection?.faces = faces.map { ExportedFace(box: $0, confidence: 0.9) }
            let outcome = try place.put(picture, unless: Self.none)
            #expect(outcome == (faces.isEmpty ? .nothing : .leftAlone(.document(.missing(errno: ENOTDIR)))))
        }
        let document = InnerPath(directory.path("x/a.jpg"), folder: "x")
        #expect(throws: SidecarFailure.self) { try place.remove(of: document, unless: Self.none) }
        #expect(try directory.read("secrets/a.jpg.xmp") == sidecar)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("secrets")).count == 2)
    }

    @Test("A folder that can't be written to is told with the sidecar's path")
    func failure() throws {
        let picture = try job(faces: [Self.face])
        let place = SidecarPlace(folder: directory.path("none"), temporaryName: ".temporary")
        let failure = #expect(throws: SidecarFailure.self) { try place.put(picture, unless: Self.none) }
        #expect(failure?.number == ENOENT && failure?.path == directory.path("none/a.jpg.xmp"))
    }

    @Test("A sidecar of ours that is a document is neither replaced nor removed, and only then it is asked")
    func document() throws {
        let target = directory.path("a.jpg.xmp")
        var asked: [String] = []
        func isDocument(_ path: String) -> Bool {
            asked.append(path)
            return true
        }
        #expect(try place.put(try job(faces: [Self.face]), unless: isDocument) == .written)
        #expect(try place.put(try job(faces: [Self.face]), unless: isDocument) == .unchanged)
        #expect(asked.isEmpty)
        let before = try text()
        let other = try job(faces: [Self.other])
        #expect(try place.put(other, unless: isDocument) == .leftAlone(.isDocument(path: target)))
        #expect(try place.put(try job(faces: []), unless: isDocument) == .nothing)
        #expect(try text() == before && asked == [target, target])
    }

    @Test("One file is known under two names, and two files are told apart")
    func sameFile() throws {
        let path = try directory.write([1], to: "a")
        let other = try directory.write([1], to: "b")
        #expect(symlink(directory.path, directory.path("link")) == 0)
        #expect(SidecarPlace.isSameFile(path, directory.path("link/a")))
        #expect(!SidecarPlace.isSameFile(path, other) && !SidecarPlace.isSameFile(path, directory.path("c")))
    }

    @Test("The sidecar of a document that was removed goes if it is one of ours, and no document")
    func removed() throws {
        let first = try job(faces: [Self.face])
        let path = directory.path("a.jpg")
        #expect(try place.put(first, unless: Self.none) == .written)
        #expect(try !place.remove(of: InnerPath(path)) { _ in true })
        #expect(try directory.names() == ["a.jpg", "a.jpg.xmp"])
        #expect(try place.remove(of: InnerPath(path), unless: Self.none))
        #expect(try !place.remove(of: InnerPath(path), unless: Self.none))
        #expect(try directory.names() == ["a.jpg"])
        // A person's, or one of ours that a person has written to.
        #expect(try place.put(first, unless: Self.none) == .written)
        let changed = try text() + " "
        for text in ["<x:xmpmeta/>", changed] {
            try directory.write(Array(text.utf8), to: "a.jpg.xmp")
            #expect(try !place.remove(of: InnerPath(path), unless: Self.none))
            #expect(try self.text() == text)
        }
    }
}
