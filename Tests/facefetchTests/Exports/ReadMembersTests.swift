import ControlAPI
import ExportFormats
import Testing
import Vocabulary

/// An export reads jobs by a reader of its own, which passes over members that it doesn't know.
@Suite("What an export reads of a job")
struct ReadMembersTests {
    @Test("every property comes from a member of what the daemon sends")
    func everything() throws {
        let job = try ExportedJob(json: Self.job.json)
        let detection = try #require(job.detection)
        let face = try #require(detection.faces.first)
        #expect(Self.unread(job, ExportedJob(id: 0)) == [])
        #expect(Self.unread(detection, ExportedDetection()) == [])
        #expect(
            Self.unread(face, ExportedFace(box: Box(x: 0, y: 0, width: 0, height: 0), confidence: 0)) == []
        )
        #expect(Self.unread(face.box, Box(x: 0, y: 0, width: 0, height: 0)) == [])
        #expect(face.landmarks == [.init(x: 5, y: 6)])
    }

    /// The properties that are as if nothing had been read.
    private static func unread<Value>(_ value: Value, _ empty: Value) -> [String] {
        zip(Mirror(reflecting: value).children, Mirror(reflecting: empty).children)
            .filter { String(describing: $0.0.value) == String(describing: $0.1.value) }
            .map { $0.0.label ?? "" }
    }

    private static let job: JobJSON = {
        var job = JobJSON(
            id: 1,
            batch: 2,
            url: "https://example.org/a.jpg",
            state: .known(.done),
            name: "a.jpg",
            bytes: 3,
            attempts: 1,
            priority: 0,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 1
        )
        job.path = "/documents/x/a.jpg"
        job.folder = "x"
        job.response = JobJSON.ResponseJSON(
            finalURL: "https://cdn.example.org/a.jpg",
            status: 200,
            contentType: "image/jpeg",
            lastModified: "2026-11-20T06:45:03.000Z",
            etag: "\"v1\"",
            receivedAt: "2026-11-21T06:45:03.611Z"
        )
        job.sha256 = "ab"
        job.error = JobJSON.ErrorJSON(code: "not_found", message: "it is gone")
        job.source = "museum"
        job.itemKey = "item"
        job.meta = MetaJSON(verbatim: #"{"a":1}"#)
        job.ended = 4
        job.ending = .known(.done)
        job.finishedAt = "2026-11-21T06:45:04.611Z"
        job.detection = DetectionJSON(
            outcome: .known(.counted),
            faceCount: 1,
            faces: [
                Face(
                    x: 1,
                    y: 2,
                    width: 3,
                    height: 4,
                    confidence: 0.5,
                    landmarks: [Face.Point(x: 5, y: 6)]
                )
            ],
            width: 640,
            height: 480,
            orientation: 6,
            format: "jpeg",
            fingerprint: "0123456789abcdef",
            turned: 90,
            engine: .known(.yunet),
            parameters: "p",
            sharedFrom: nil,
            seconds: 0.5
        )
        return job
    }()
}
