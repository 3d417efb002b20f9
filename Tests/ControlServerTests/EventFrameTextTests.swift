import ControlAPI
import Foundation
import JobCore
import JobEngine
import NIOCore
import Testing

@testable import ControlServer

@Suite("The frame of an event")
struct EventFrameTextTests {
    private static let moment = Moment(microseconds: 1_795_243_503_611_000)
    private static let odd = "tab\t \"quotes\" back\\slash\r\nline \u{1}\u{1F} ü\u{2028} /path"

    private static let kinds: [JobEvent.Kind] = [
        .started(url: odd), .progressed(name: odd, percent: 10), .received(name: odd, bytes: .max),
        .resumed(name: odd, offset: 1, total: 2), .resumed(name: odd, offset: 1, total: nil),
        .restarted(name: odd, reason: odd), .finished(url: odd, partialPath: odd),
        .stored(name: odd, path: odd),
        .waiting(name: odd, until: moment.wall, reason: JobFailure(.timedOut, odd)),
        .failed(url: odd, failure: JobFailure(.diskFull, odd)), .paused(name: odd),
        .detectionFinished(name: odd, faceCount: 3),
        .detectionFinished(name: odd, faceCount: 1, sharedFrom: JobID(rawValue: 9)),
        .detectionFailed(name: odd, outcome: .timedOut),
    ]

    @Test("has what Foundation's encoder would have put there, on one line", arguments: kinds)
    func data(kind: JobEvent.Kind) throws {
        for seconds in [0, 1, 0.091, 4521.5] {
            let event = EventJSON(
                JobEvent(
                    id: 7,
                    time: Self.moment.adding(seconds: seconds),
                    batchCreatedAt: Self.moment,
                    batch: BatchID(rawValue: 1),
                    job: JobID(rawValue: 3),
                    kind: kind
                )
            )
            let lines = String(buffer: EventFrameText(event).buffer).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            #expect(lines.count == 5 && lines[0] == "id: 7" && lines[1] == "event: job")
            #expect(lines[3].isEmpty && lines[4].isEmpty)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            let expected = String(decoding: try encoder.encode(event), as: UTF8.self)
            #expect(lines[2] == "data: " + expected)
        }
    }

    @Test("is the same as the encoder's whatever an event has in it")
    func random() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        for seed in UInt64(0)..<300 {
            var shapes = RandomShapes(seed: seed)
            let event = shapes.event()
            let expected = String(decoding: try encoder.encode(event), as: UTF8.self)
            let frame = "id: \(event.id)\nevent: job\ndata: \(expected)\n\n"
            #expect(String(buffer: EventFrameText(event).buffer) == frame, "seed \(seed)")
        }
    }
}
