import ControlAPI
import JobEngine
import JobModel
import NIOCore
import Testing
import Vocabulary

@testable import ControlServer

@Suite("The frame of an event")
struct EventFramesTests {
    private static let moment = Moment(microseconds: 1_795_243_503_611_000)
    private static let odd = "tab\t \"quotes\" back\\slash\r\nline \u{1}\u{1F} ü\u{2028} /path"

    private static let kinds: [JobEvent.Kind] = [
        .started(url: odd), .progressed(name: odd, percent: 10), .received(name: odd, bytes: .max),
        .resumed(name: odd, offset: 1, total: 2), .resumed(name: odd, offset: 1, total: nil),
        .restarted(name: odd, reason: odd), .finished(url: odd, partialPath: odd),
        .stored(name: odd, path: odd), .stored(name: odd, path: odd, length: .unproven),
        .waiting(name: odd, until: moment.wall, reason: JobFailure(.timedOut, odd)),
        .failed(url: odd, failure: JobFailure(.diskFull, odd)), .paused(name: odd),
        .detectionFinished(name: odd, faceCount: 3),
        .detectionFinished(name: odd, faceCount: 1, sharedFrom: JobID(rawValue: 9)),
        .detectionFailed(name: odd, outcome: .timedOut),
    ]

    @Test("has an id, a name and its data on one line", arguments: kinds)
    func data(kind: JobEvent.Kind) throws {
        let event = JobEvent(
            id: 7,
            time: Self.moment.adding(seconds: 0.091),
            batchCreatedAt: Self.moment,
            batch: BatchID(rawValue: 1),
            job: JobID(rawValue: 3),
            kind: kind
        )
        let data = String(decoding: EventJSON(event).json, as: UTF8.self)
        let frames = EventFrames()
        for _ in 1...2 {
            #expect(String(buffer: frames.frame(of: event)) == "id: 7\nevent: job\ndata: \(data)\n\n")
        }
        #expect(!data.contains("\n"))
    }
}
