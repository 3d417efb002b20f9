import Foundation
import SourceCore
import TestSupport

/// The real `facefetch-lister`, built beside these tests, run to its end.
struct ListerRun {
    let status: Int32
    let output: [UInt8]
    let errors: String

    /// The output's lines.
    var lines: [String] { String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) }

    init(_ arguments: [String], input: [UInt8] = []) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let lister = URL(filePath: tests).deletingLastPathComponent().appending(path: "facefetch-lister")
        // Files, not pipes: nobody has to read while the process runs.
        let folder = try PageFolder()
        let paths = try [("in", input), ("out", []), ("err", [])].map { try folder.file($0.0, $0.1) }
        let ended = try Spawn.run(lister.path, arguments, files: (paths[0], paths[1], paths[2]))
        status = ended < 0 ? 128 - ended : ended
        output = try Array(Data(contentsOf: URL(filePath: paths[1])))
        errors = try String(contentsOfFile: paths[2], encoding: .utf8)
    }

    /// By hand: a recipe and a page.
    static func page(_ recipe: String, _ page: [UInt8], _ more: [String] = []) throws -> ListerRun {
        let folder = try PageFolder()
        let recipe = try folder.file("recipe.yaml", Array(recipe.utf8))
        let page = try folder.file("page", page)
        return try ListerRun(["--recipe", recipe, page] + more)
    }

    /// For the daemon: a program and pages, and what was answered.
    static func serve(
        _ program: ListerProgram,
        _ pages: [[UInt8]],
        limit: Double = 30
    ) throws -> [ListerFrame] {
        let folder = try PageFolder()
        var input = try ListerFrame(.program, program).bytes
        for (index, page) in pages.enumerated() {
            let path = try folder.file("\(index)", page)
            input += try ListerFrame(
                .request,
                id: UInt64(index),
                ListerRequest(id: UInt64(index + 1), path: path, url: "https://h/")
            ).bytes
        }
        let run = try ListerRun(
            ["--serve", "--pages", folder.path, "--time-limit", "\(limit)"],
            input: input
        )
        var reader = ListerFrameReader()
        reader.append(run.output)
        var frames: [ListerFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }
}

/// A folder of pages, gone with its owner.
final class PageFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
