import Foundation
import Glibc
import PaintedPictures
import TestSupport
import TestTraits
import Testing

private let exiftool = Shell.find("exiftool")

/// Sidecars that the real daemon writes as results come.
@Suite(.enabled(if: exiftool != nil, "needs exiftool"), .timeLimit(.minutes(3)), .ownThread)
struct SidecarTests {
    private static let setting = ["FACEFETCH_DOCUMENTS_SIDECAR": "xmp"]

    /// Returns exiftool's report on a file.
    private static func exif(_ path: String, _ tags: String...) throws -> [String: Any] {
        let result = try Shell.run([exiftool ?? "", "-j", "-n", "-struct"] + tags + [path])
        let found = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
        return found?.first ?? [:]
    }

    /// Returns exiftool's reading of a file's regions: the size that they are of, and their middles in parts
    /// of it.
    private static func regions(
        _ path: String
    ) throws -> (width: Int?, height: Int?, areas: [(x: Double, y: Double)]) {
        let info = try exif(path, "-XMP-mwg-rs:all")["RegionInfo"] as? [String: Any]
        let size = info?["AppliedToDimensions"] as? [String: Any]
        let list = info?["RegionList"] as? [[String: Any]] ?? []
        let areas = list.compactMap { region -> (x: Double, y: Double)? in
            let area = region["Area"] as? [String: Any]
            guard let x = area?["X"] as? Double, let y = area?["Y"] as? Double else { return nil }
            return (x, y)
        }
        return (size?["W"] as? Int, size?["H"] as? Int, areas)
    }

    private static func appears(_ name: String, _ installation: Installation) async -> Bool {
        await installation.directory.appears("documents/" + name)
    }

    @Test("A picture with faces gets one that exiftool reads; others' are left alone and told")
    func written() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(faces: 2, seed: 4)
        let picture = try painted.jpeg(orientation: .needsClockwise)
        let installation = try Installation()
        let file = try installation.directory.write(picture, to: "tagged.jpg")
        let tag = try Shell.run([
            exiftool ?? "", "-q", "-overwrite_original",
            "-RegionInfo={AppliedToDimensions={W=9,H=9,Unit=pixel},"
                + "RegionList=[{Area={X=.5,Y=.5,W=.1,H=.1,Unit=normalized},Type=Face,Name=Ann}]}", file,
        ])
        #expect(tag.status == 0, "\(tag)")
        for name in ["a.jpg", "b.jpg"] { origin.serve("/" + name, OriginFile(picture)) }
        origin.serve("/tagged.jpg", OriginFile(try installation.directory.read("tagged.jpg")))
        origin.serve("/none.jpg", OriginFile(try PaintedPicture(faces: 0, seed: 1).jpeg()))
        _ = try installation.directory.directory("documents")
        try installation.directory.write(Array("theirs".utf8), to: "documents/b.jpg.xmp")

        let daemon = try await installation.startDaemon(environment: Self.setting)
        #expect(await installation.directory.appears("state/sidecars"))
        for name in ["none.jpg", "tagged.jpg", "b.jpg", "a.jpg"] {
            #expect(try await installation.facefetch("add", "--wait", origin.url("/" + name)).status == 0)
        }
        #expect(await Self.appears("a.jpg.xmp", installation))
        let found = try Self.regions(installation.documents + "/a.jpg.xmp")
        #expect(found.width == painted.height && found.height == painted.width && found.areas.count == 2)
        #expect(try installation.document("b.jpg.xmp") == Array("theirs".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
        #expect(
            names.sorted() == ["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp", "none.jpg", "tagged.jpg"]
        )
        #expect(await daemon.errorLine(containing: "\"tagged.jpg\", gets no sidecar: the picture has") != nil)
        #expect(await daemon.errorLine(containing: "\"b.jpg\", gets no sidecar") != nil)
        // What the daemon wrote, the client takes for its own.
        let export = try await installation.facefetch("export", "--format", "xmp")
        #expect(export.status == 0 && !export.errors.contains("a.jpg.xmp"))
        #expect(await daemon.stop() == 0)
    }

    @Test("A folder that facefetch filled elsewhere is mirrored with its sidecars, which stay as they are")
    func mirrored() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/there.jpg", OriginFile(try PaintedPicture(faces: 1, seed: 4).jpeg()))
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Self.setting)
        #expect(await installation.directory.appears("state/sidecars"))
        #expect(try await installation.facefetch("add", "--wait", origin.url("/there.jpg")).status == 0)
        #expect(await Self.appears("there.jpg.xmp", installation))
        let theirs = try installation.document("there.jpg.xmp")
        origin.serve("/a.jpg.xmp", OriginFile(theirs))
        for name in ["a.jpg.xmp", "a.jpg"] {
            #expect(try await installation.facefetch("add", "--wait", origin.url("/" + name)).status == 0)
        }
        #expect(await daemon.errorLine(containing: "a.jpg.xmp was downloaded, and stays as it is") != nil)
        let export = try await installation.facefetch("export", "--format", "xmp")
        #expect(export.status == 0 && export.errors.contains("a.jpg.xmp was downloaded"), "\(export)")
        #expect(try installation.document("a.jpg.xmp") == theirs)
        #expect(await daemon.stop() == 0)
    }

    @Test("A HEIC picture's regions are of its pixels as they lie in the file, whatever turns it")
    func turnedByTheFormat() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(faces: 1, seed: 4)
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Self.setting)
        #expect(await installation.directory.appears("state/sidecars"))
        for orientation in Orientation.allCases {
            let name = "\(orientation.rawValue).heic"
            origin.serve("/" + name, OriginFile(try painted.heic(orientation: orientation)))
            #expect(try await installation.facefetch("add", "--wait", origin.url("/" + name)).status == 0)
            #expect(await Self.appears(name + ".xmp", installation))
            let document = installation.documents + "/" + name
            let said = try Self.exif(document, "-ImageWidth", "-ImageHeight")
            let size = (try #require(said["ImageWidth"] as? Int), try #require(said["ImageHeight"] as? Int))
            let found = try Self.regions(document + ".xmp")
            #expect(found.width == size.0 && found.height == size.1 && found.areas.count == 1, "\(name)")
            #expect(size.0 == (orientation.isLying ? painted.height : painted.width), "\(name)")
            let area = try #require(found.areas.first)
            let middle = orientation.upright(
                x: Int(area.x * Double(size.0)),
                y: Int(area.y * Double(size.1)),
                storedWidth: size.0,
                storedHeight: size.1
            )
            let face = try #require(painted.faces.first)
            let sides = (face.x..<face.x + face.side, face.y..<face.y + face.side)
            #expect(sides.0.contains(middle.x) && sides.1.contains(middle.y), "\(name): \(middle)")
        }
        #expect(await daemon.stop() == 0)
    }

    @Test("A new look changes it, off leaves what is there, and on again begins with what comes then")
    func newLook() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["a.jpg", "b.jpg"] {
            origin.serve("/" + name, OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Self.setting)
        #expect(await installation.directory.appears("state/sidecars"))
        #expect(try await installation.facefetch("add", "--wait", origin.url("/a.jpg")).status == 0)
        #expect(await Self.appears("a.jpg.xmp", installation))
        let before = try installation.document("a.jpg.xmp")
        #expect(await daemon.stop() == 0)

        daemon = try await installation.startDaemon()
        #expect(try await installation.facefetch("add", "--wait", origin.url("/b.jpg")).status == 0)
        #expect(try installation.document("a.jpg.xmp") == before)
        #expect(!FileManager.default.fileExists(atPath: installation.directory.path("state/sidecars")))
        #expect(await daemon.stop() == 0)

        // Nobody has so many windows on one face.
        let blind = Self.setting.merging(["FACEFETCH_DETECTION_NEIGHBOURS": "100"]) { $1 }
        daemon = try await installation.startDaemon(environment: blind)
        #expect(await installation.directory.appears("state/sidecars"))
        #expect(try await installation.facefetch("detect", "j1").status == 0)
        #expect(
            await FolderWatch.until(in: installation.documents) {
                !FileManager.default.fileExists(atPath: installation.documents + "/a.jpg.xmp")
            }
        )
        #expect(!FileManager.default.fileExists(atPath: installation.documents + "/b.jpg.xmp"))
        #expect(await daemon.stop() == 0)
    }

    @Test("However often the daemon is killed, each picture has a sidecar in the end, and nothing else stays")
    func killed() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let environment = ProcessInfo.processInfo.environment
        let kills = Int(environment["FACEFETCH_KILLS"] ?? "") ?? 3
        let pictures = 24
        for number in 1...pictures {
            let picture = PaintedPicture(faces: 1, seed: UInt64(number))
            origin.serve("/\(number).jpg", OriginFile(try picture.jpeg()))
        }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Self.setting)
        #expect(await installation.directory.appears("state/sidecars"))
        let list = (1...pictures).map { origin.url("/\($0).jpg") }.joined(separator: "\n")
        try installation.directory.write(Array(list.utf8), to: "urls")
        let added = try await installation.facefetch("add", "--from", installation.directory.path("urls"))
        #expect(added.status == 0, "\(added)")
        for round in 1...kills {
            // At some moment of this round's work.
            _ = await FolderWatch.until(in: installation.documents) {
                let names = try? FileManager.default.contentsOfDirectory(atPath: installation.documents)
                return (names ?? []).count { $0.hasSuffix(".xmp") } >= pictures * round / (kills + 1)
            }
            daemon.signal(SIGKILL)
            _ = await daemon.status
            daemon = try await installation.startDaemon(environment: Self.setting)
        }
        let whole = await FolderWatch.until(in: installation.documents) {
            let names = try? FileManager.default.contentsOfDirectory(atPath: installation.documents)
            return (names ?? []).count { $0.hasSuffix(".xmp") } == pictures
        }
        #expect(whole)
        #expect(await daemon.stop() == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
        #expect(names.count == 2 * pictures, "\(names)")
        for number in 1...pictures {
            #expect(try Self.regions(installation.documents + "/\(number).jpg.xmp").areas.count == 1)
        }
    }

    @Test(
        "On a disk that is full they wait, which is said once; with room again none is missing",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func fullDisk() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let disk = try MemoryDisk(bytes: 16 << 20)
        let installation = try Installation()
        let environment = Self.setting.merging([
            "FACEFETCH_PATHS_DOCUMENTS": disk.path + "/documents", "FACEFETCH_DISK_RESERVE": "1 MiB",
            "FACEFETCH_DETECTION_WHEN": "held",
        ]) { $1 }
        let flags = [
            "--state-dir", installation.directory.path("state"), "--socket", installation.socket,
            "--event-log", installation.directory.path("events.log"),
        ]
        let daemon = try Program("facefetchd", flags, environment: environment)
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        #expect(await installation.directory.appears("state/sidecars"))
        let follower = try installation.follow()
        #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
        #expect(await follower.outputLine(containing: "stored \"a.jpg\"") != nil)
        disk.fill(leaving: 0)
        #expect(try await installation.facefetch("detection", "release").status == 0)
        #expect(await daemon.errorLine(containing: "sidecars wait: the documents' disk has no more") != nil)
        let names = { try FileManager.default.contentsOfDirectory(atPath: disk.path + "/documents") }
        #expect(try !names().contains { $0.hasSuffix(".xmp") })
        disk.empty()
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "sidecars are written again") != nil)
        #expect(try Self.regions(disk.path + "/documents/a.jpg.xmp").areas.count == 2)
        follower.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
    }
}
