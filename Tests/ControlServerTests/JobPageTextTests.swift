import ControlAPI
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import ControlServer

@Suite("A page of jobs")
struct JobPageTextTests {
    private static let odd = "tab\t \"quotes\" back\\slash\r\nline \u{1}\u{1F}\u{8}\u{C} ü\u{2028} /path"

    private static var plain: JobJSON {
        JobJSON(
            id: 7,
            batch: 1,
            url: odd,
            state: "queued",
            name: odd,
            bytes: 0,
            attempts: 0,
            priority: -100,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 0.091
        )
    }

    private static var full: JobJSON {
        var job = plain
        job.path = odd
        job.totalBytes = .max
        job.percent = 33
        job.bytesPerSecond = 1234.5
        job.sha256 = "00ff"
        job.waiting = .init(code: "disk_full", reason: odd, until: "2026-11-21T06:45:03Z")
        job.error = .init(code: "timed_out", message: odd)
        job.detection = DetectionJSON(
            outcome: "counted",
            faceCount: 2,
            faces: [
                FaceJSON(x: -1, y: 2, width: 3, height: 4, confidence: 0.5),
                FaceJSON(x: 1, y: 2, width: 3, height: 4, confidence: 12),
            ],
            engine: "haar",
            parameters: odd,
            sharedFrom: 3,
            seconds: 0.25
        )
        job.rateLimit = 500_000
        job.expectedSHA256 = "00ff"
        job.finishedAt = "2026-11-21T06:45:04Z"
        return job
    }

    private static var faceless: JobJSON {
        var job = plain
        job.detection = DetectionJSON(
            outcome: "unreadable",
            faceCount: nil,
            faces: [],
            engine: "haar",
            parameters: "",
            sharedFrom: nil,
            seconds: 1
        )
        return job
    }

    @Test(
        "has what Foundation's encoder would have put there",
        arguments: [[], [plain], [full], [plain, full, faceless]]
    )
    func bytes(jobs: [JobJSON]) throws {
        for next in [nil, "7"] {
            let page = PageJSON(items: jobs, total: jobs.count + 1, hasMore: next != nil, next: next)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            let expected = String(decoding: try encoder.encode(page), as: UTF8.self)
            #expect(String(buffer: JobPageText.encode(page)) == expected)
        }
    }

    @Test("is the same as the encoder's whatever a page has in it")
    func random() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        for seed in UInt64(0)..<300 {
            var shapes = RandomShapes(seed: seed)
            let page = shapes.page()
            let expected = String(decoding: try encoder.encode(page), as: UTF8.self)
            #expect(String(buffer: JobPageText.encode(page)) == expected, "seed \(seed)")
        }
    }
}
