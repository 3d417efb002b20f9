import DetectorProtocol
import JobModel
import Vocabulary

@testable import Children

/// A trial of what a detector writes to the daemon.
enum DetectorFrameTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let whole = Self.frames(of: [bytes[...]])
        let pieces = Pieces(of: bytes)
        let pieced = Self.frames(of: pieces.all)
        try promise(whole == pieced, "the same bytes in pieces of \(pieces.length) are other messages")
        for answer in whole.answers {
            try promise(Self.returns(answer), "an answer isn't the same after it was written again")
            try Self.check(answer)
        }
        // Bytes that are no frame are tried as what stands in one.
        let length = UInt32(truncatingIfNeeded: bytes.count)
        let header = (0..<DetectorFrame.headerLength).map {
            UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0)))
        }
        let framed = Self.frames(of: [header[...], bytes[...]])
        try promise(framed.answers.count <= 1, "one frame became several answers")
        return [whole, framed].lazy.compactMap { $0.greeting?.engines.first?.name }.first
            ?? whole.answers.first?.engine
    }

    private struct Frames: Hashable {
        var greeting: DetectorGreeting?
        var answers: [DetectorResponse] = []
        var isBroken = false
        var isBetweenMessages = false
    }

    /// A greeting and answers, or answers alone.
    private static func frames(of pieces: [ArraySlice<UInt8>]) -> Frames {
        var frames = Frames()
        var decoder = FrameDecoder()
        var isFirst = true
        for piece in pieces {
            decoder.append(piece)
            do throws(FrameError) {
                if isFirst {
                    var copy = decoder
                    if let greeting = try? copy.next(DetectorGreeting.self) {
                        frames.greeting = greeting
                        decoder = copy
                        isFirst = false
                    }
                }
                while let answer = try decoder.next(DetectorResponse.self) {
                    frames.answers.append(answer)
                    isFirst = false
                }
            } catch {
                frames.isBroken = true
                return frames
            }
        }
        frames.isBetweenMessages = decoder.isBetweenMessages
        return frames
    }

    /// Checks that what is believed of an answer is possible.
    private static func check(_ answer: DetectorResponse) throws(BrokenPromise) {
        let look = Look(
            number: answer.id,
            request: DetectionRequest(job: JobID(rawValue: 1), path: "/a.jpg"),
            detector: DetectorIdentity(engine: answer.engine, parameters: answer.parameters),
            began: .zero
        )
        guard let result = try? DetectionResult(checking: answer, to: look, now: .seconds(1)) else { return }
        try promise(result.seconds == 1, "a detector's own clock was believed")
        try promise(result.faces.count <= DetectorResponse.maximumFaceCount, "there are too many faces")
        for face in result.faces {
            let (right, isTooWide) = face.x.addingReportingOverflow(face.width)
            let (bottom, isTooHigh) = face.y.addingReportingOverflow(face.height)
            try promise(
                face.x >= 0 && face.y >= 0 && face.width > 0 && face.height > 0 && face.confidence.isFinite
                    && !isTooWide && !isTooHigh && right <= answer.width && bottom <= answer.height,
                "a face is outside the picture"
            )
        }
    }

    private static func returns(_ answer: DetectorResponse) -> Bool {
        var decoder = FrameDecoder()
        guard let frame = try? DetectorFrame.encode(answer) else { return false }
        decoder.append(frame)
        return (try? decoder.next(DetectorResponse.self)) == answer
    }
}
