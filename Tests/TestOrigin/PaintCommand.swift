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

    func run() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for number in 0..<count {
            let picture = PaintedPicture(faces: number, seed: UInt64(number + 1))
            let path = "\(directory)/painted-\(number + 1).jpg"
            try Data(picture.jpeg()).write(to: URL(fileURLWithPath: path))
            print(path)
        }
    }
}
