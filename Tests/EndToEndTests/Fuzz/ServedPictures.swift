import DetectorProtocol
import Foundation
import TestSupport

/// The answers of detectors to a daemon that asks for pictures' faces and thumbnails.
struct ServedPictures {
    /// The outcome of each picture, in order: the detector's own word, or "crashed" if it ended instead.
    private(set) var outcomes: [String] = []
    /// The number of thumbnails that came with that.
    private(set) var thumbnails = 0
    /// All that was said on standard error.
    private(set) var errors = ""

    /// Has pictures looked at by one detector after the other, each until it ends.
    init(_ files: [String], in directory: TemporaryDirectory) throws {
        while outcomes.count < files.count {
            let before = outcomes.count
            try look(at: files[before...], in: directory)
            // Who asks counts that against the picture, and goes on with the next.
            if outcomes.count < files.count { outcomes.append("crashed") }
        }
    }

    private mutating func look(at files: ArraySlice<String>, in directory: TemporaryDirectory) throws {
        let thumbnail = DetectorRequest.Thumbnail(side: 400, quality: 75, limit: 128 << 10)
        let requests = try files.enumerated().flatMap { number, file in
            try DetectorFrame.encode(
                DetectorRequest(id: Int64(number + 1), path: file, thumbnail: thumbnail)
            )
        }
        let streams = (
            try directory.write(requests, to: "requests"), try directory.write([], to: "answers"),
            try directory.write([], to: "errors")
        )
        let arguments = ["--serve", "--documents", directory.path]
        let program = Program.directory + "/facefetch-detector"
        _ = try Spawn.run(program, arguments, files: streams)
        errors += String(decoding: try directory.read("errors"), as: UTF8.self)
        var answers = FrameDecoder()
        answers.append(try directory.read("answers"))
        guard try answers.next(DetectorGreeting.self) != nil else { return }
        while let answer = try answers.next(DetectorResponse.self) {
            outcomes.append(answer.outcome.rawValue)
            guard let length = answer.thumbnailLength else { continue }
            guard answers.nextBytes(length) != nil else { return }
            thumbnails += 1
        }
    }
}
