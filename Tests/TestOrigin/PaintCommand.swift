import ArgumentParser
import Foundation
import PaintedPictures

/// Paints pictures with known faces into a directory.
struct PaintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paint",
        abstract: "Paint pictures with known faces."
    )

    @Argument(help: "The directory to paint into.")
    var directory: String

    @Option(help: "How many pictures; the first has no face, the second one, and so on.")
    var count = 5

    @Flag(help: "Paint one picture with two faces in each format that is read instead.")
    var everyFormat = false

    func run() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let pictures = try everyFormat ? formats() : numbered()
        for (name, bytes) in pictures {
            let path = "\(directory)/\(name)"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            print(path)
        }
    }

    private func numbered() throws -> [(name: String, bytes: [UInt8])] {
        try (0..<count).map { number in
            ("painted-\(number + 1).jpg", try PaintedPicture(faces: number, seed: UInt64(number + 1)).jpeg())
        }
    }

    /// Pictures by format; without those for which this machine's libraries have no encoder.
    private func formats() throws -> [(name: String, bytes: [UInt8])] {
        let picture = PaintedPicture(
            width: 900,
            height: 600,
            faces: [PaintedFace(x: 80, y: 120, side: 150), PaintedFace(x: 420, y: 200, side: 220)],
            seed: 7
        )
        let stamp = PaintedPicture(width: 160, height: 120, seed: 8)
        let preview = try picture.plainJPEG()
        var pictures = try [
            ("jpg", picture.jpeg(progressive: true)), ("png", picture.png(interlaced: true)),
            ("webp", picture.webp()), ("gif", picture.gif(emptyFrames: 1)), ("tif", picture.tiff()),
            ("planes.tif", PaintedTIFF.file([.planes(picture)])),
            ("old.tif", PaintedTIFF.file([.oldJPEG(picture.jpeg(quality: 85), width: 900, height: 600)])),
            ("bmp", picture.bmp(.runs)),
        ]
        pictures += PaintedRaw.allCases.map { kind in
            (kind.rawValue, kind.file(preview: preview, width: 900, height: 600, first: stamp))
        }
        let others: [(String, [UInt8]?)] = [
            ("heic", try? picture.heic()), ("avif", try? picture.avif()), ("jxl", try? picture.jxl()),
            ("jp2", try? picture.jp2()),
        ]
        pictures += others.compactMap { ending, bytes in bytes.map { (ending, $0) } }
        return pictures.map { ("every.\($0.0)", $0.1) }
    }
}
