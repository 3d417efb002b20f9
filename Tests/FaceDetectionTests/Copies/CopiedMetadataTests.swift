import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing

private let exiftool = Shell.find("exiftool")

/// Nothing of a picture's file is in its copies but pixels.
@Suite(.enabled(if: exiftool != nil, "needs exiftool"), .ownThread)
struct CopiedMetadataTests {
    private static let secret = "only for friends"
    /// Names that every file of the format has for its pixels, and for itself.
    private static let harmless: Set<String> = [
        "ExifTool", "System", "File", "Composite", "JFIF", "PNG", "PNG-pHYs",
    ]

    private static func exif(_ arguments: [String]) throws -> [[String: Any]] {
        let result = try Shell.run([exiftool ?? "", "-q", "-j", "-n", "-a", "-G1"] + arguments)
        return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
    }

    /// The groups of metadata that a file has.
    private static func groups(_ tags: [String: Any]) -> Set<String> {
        Set(tags.keys.filter { $0 != "SourceFile" }.map { key in String(key.prefix { $0 != ":" }) })
    }

    @Test("Neither metadata nor a thumbnail is left, of whatever format, and pixels are upright")
    func plain() throws {
        let folder = try TemporaryFolder()
        let painted = PaintedPicture(faces: 1, seed: 3)
        let turned = Orientation.needsClockwise
        let thumbnail = try folder.file("thumb.jpg", painted.jpeg(quality: 30))
        let files = try [
            folder.file("a.jpg", painted.jpeg(orientation: turned, colour: .profiled)),
            folder.file(
                "b.png",
                PNGChunks.withExif(orientation: turned, painted.png(orientation: turned))
            ),
            folder.file("c.webp", painted.webp(orientation: turned)),
            folder.file("d.tif", painted.tiff(orientation: turned, colour: .profiled)),
            folder.file("e.heic", painted.heic(orientation: turned)),
        ]
        let write = [
            "-q", "-m", "-overwrite_original", "-ImageDescription=\(Self.secret)",
            "-XMP-dc:Title=\(Self.secret)",
            "-GPSLatitude=48.2", "-GPSLatitudeRef=N", "-GPSLongitude=16.4", "-GPSLongitudeRef=E",
            "-Make=\(Self.secret)", "-ThumbnailImage<=\(thumbnail)",
        ]
        let written = try Shell.run([exiftool ?? ""] + write + files)
        #expect(written.status == 0, "\(written.output)")
        // What not all formats have.
        let profile = ["-TagsFromFile", try folder.file("p3.jpg", painted.wideJPEG()), "-ICC_Profile"]
        let others = [
            (files[0], ["-IPTC:Caption-Abstract=\(Self.secret)", "-Comment=\(Self.secret)"]),
            (files[1], ["-PNG:Author=\(Self.secret)", "-PNG:Comment=\(Self.secret)"] + profile),
            (files[2], profile),
            (files[3], ["-IPTC:Caption-Abstract=\(Self.secret)"]),
        ]
        for (file, tags) in others {
            let result = try Shell.run([exiftool ?? "", "-q", "-m", "-overwrite_original"] + tags + [file])
            #expect(result.status == 0, "\(result.output)")
        }
        for (file, tags) in zip(files, try Self.exif(files)) {
            let data = try Data(contentsOf: URL(filePath: file))
            #expect(data.range(of: Data(Self.secret.utf8)) != nil, "\(file) has nothing to lose")
            #expect(Self.groups(tags).isSuperset(of: ["GPS", "XMP-dc"]), "\(tags.keys)")
            guard file != files[4] else { continue }
            #expect(Self.groups(tags).contains("ICC-header"), "\(tags.keys)")
        }
        let jpeg = try Self.exif([files[0]]).first ?? [:]
        #expect(Self.groups(jpeg).isSuperset(of: ["IPTC", "IFD1"]), "\(jpeg.keys)")
        for kind in ["--redact", "--crops", "--annotate"] {
            let out = folder.path + "/" + kind.dropFirst(2)
            let made = try Detector([kind, out] + files)
            #expect(made.status == 0, "\(made.errors)")
            let copies = try FileManager.default.contentsOfDirectory(atPath: out).map { out + "/" + $0 }
            let tags = try Self.exif(copies)
            #expect(copies.count == 5 && tags.count == 5)
            for copy in copies {
                let data = try Data(contentsOf: URL(filePath: copy))
                #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(copy)")
            }
            for copy in tags {
                let groups = Self.groups(copy)
                #expect(groups.subtracting(Self.harmless).isEmpty, "\(groups) in \(copy["SourceFile"] ?? "")")
                guard kind == "--redact" else { continue }
                let size = ["Width", "Height"].map { side in
                    (copy["File:Image\(side)"] ?? copy["PNG:Image\(side)"]) as? Int
                }
                #expect(size == [painted.width, painted.height], "\(copy)")
            }
        }
    }
}
