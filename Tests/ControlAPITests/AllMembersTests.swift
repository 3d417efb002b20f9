import ControlAPI
import Testing
import Vocabulary

/// What programs of others read must stay as it is, byte for byte.
@Suite("Jobs and events with all their members")
struct AllMembersTests {
    @Test("a job is written as ever")
    func job() {
        #expect(String(decoding: Self.job.json, as: UTF8.self) == Self.jobText)
    }

    @Test("an event is written as ever")
    func event() {
        #expect(String(decoding: Self.event.json, as: UTF8.self) == Self.eventText)
    }

    private static let job: JobJSON = {
        var job = JobJSON(
            id: 7,
            batch: 3,
            url: "https://example.org/\"a\"/é.jpg",
            state: .known(.waiting),
            name: "é.jpg",
            bytes: 1000,
            attempts: 2,
            priority: -5,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 12.5
        )
        job.path = "/documents/é.jpg"
        job.totalBytes = 2000
        job.length = .known(.unproven)
        job.percent = 50
        job.bytesPerSecond = 1234.5
        job.sha256 = "ab"
        job.waiting = JobJSON.WaitingJSON(
            code: "timeout",
            reason: "it took long",
            until: "2026-11-21T06:46:00.000Z",
            isOwn: true
        )
        job.error = JobJSON.ErrorJSON(code: "not_found", message: "404")
        job.detection = detection
        job.response = JobJSON.ResponseJSON(
            finalURL: "https://cdn.example.org/a",
            status: 200,
            contentType: "image/jpeg",
            lastModified: "2026-11-20T06:45:03.000Z",
            etag: "W/\"v1\"",
            robots: "noai",
            receivedAt: "2026-11-21T06:45:04.000Z"
        )
        job.rateLimit = 4096
        job.expectedSHA256 = "cd"
        job.source = "museum"
        job.itemKey = "item 1"
        job.meta = MetaJSON(verbatim: #"{"album":"holiday"}"#)
        job.ended = 9
        job.ending = .known(.stored)
        job.createdAt = "2026-11-21T06:45:03.611Z"
        job.finishedAt = "2026-11-21T06:45:16.111Z"
        job.evictedAt = "2026-11-22T00:00:00.000Z"
        job.isPinned = true
        job.weight = 2
        return job
    }()

    private static let detection = DetectionJSON(
        outcome: .known(.counted),
        faceCount: 1,
        faces: [
            Face(
                x: -3,
                y: 4,
                width: 50,
                height: 60,
                confidence: 0.875,
                landmarks: [Face.Point(x: 10, y: 20)]
            )
        ],
        width: 640,
        height: 480,
        orientation: 6,
        format: "jpeg",
        looks: [640, 1280],
        reason: "was too large",
        damaged: true,
        fingerprint: "0123456789abcdef",
        turned: 180,
        engine: .known(.yunet),
        parameters: "p",
        sharedFrom: 2,
        seconds: 0.25
    )

    private static let event: EventJSON = {
        var event = EventJSON(
            id: 11,
            time: "2026-11-21T06:45:03.611Z",
            elapsed: 0.5,
            batch: 3,
            job: 7,
            kind: .known(.stored),
            message: "stored \"a\""
        )
        event.name = "a"
        event.url = "https://example.org/a"
        event.path = "/documents/a"
        event.length = .known(.unproven)
        event.percent = 10
        event.bytes = 1000
        event.totalBytes = 2000
        event.reason = "because"
        event.code = "timeout"
        event.until = "2026-11-21T06:46:00.000Z"
        event.faceCount = 2
        event.outcome = .known(.crashed)
        event.sharedFrom = 5
        return event
    }()

    private static let jobText =
        #"{"attempts":2,"batch":3,"bytes":1000,"bytes_per_second":1234.5,"#
        + #""created_at":"2026-11-21T06:45:03.611Z","detection":{"damaged":true,"engine":"yunet","face_count":1,"#
        + #""faces":[{"confidence":0.875,"height":60,"landmarks":[{"x":10,"y":20}],"width":50,"x":-3,"#
        + #""y":4}],"fingerprint":"0123456789abcdef","format":"jpeg","height":480,"looks":[640,1280],"orientation":6,"#
        + #""outcome":"counted","parameters":"p","reason":"was too large","seconds":0.25,"#
        + #""shared_from":2,"turned":180,"width":640},"elapsed":12.5,"ended":9,"ending":"stored","#
        + #""error":{"code":"not_found","message":"404"},"evicted_at":"2026-11-22T00:00:00.000Z","#
        + #""expected_sha256":"cd","finished_at":"2026-11-21T06:45:16.111Z","id":7,"#
        + #""item_key":"item 1","length":"unproven","meta":{"album":"holiday"},"name":"é.jpg","#
        + #""path":"/documents/é.jpg","percent":50,"pinned":true,"priority":-5,"rate_limit":4096,"#
        + #""response":{"content_type":"image/jpeg","etag":"W/\"v1\"","#
        + #""final_url":"https://cdn.example.org/a","last_modified":"2026-11-20T06:45:03.000Z","#
        + #""received_at":"2026-11-21T06:45:04.000Z","robots":"noai","status":200},"#
        + #""sha256":"ab","source":"museum","state":"waiting","total_bytes":2000,"#
        + #""url":"https://example.org/\"a\"/é.jpg","waiting":{"code":"timeout","own":true,"#
        + #""reason":"it took long","until":"2026-11-21T06:46:00.000Z"},"weight":2}"#

    private static let eventText =
        #"{"batch":3,"bytes":1000,"code":"timeout","elapsed":0.5,"face_count":2,"id":11,"job":7,"#
        + #""kind":"stored","length":"unproven","message":"stored \"a\"","name":"a","#
        + #""outcome":"crashed","path":"/documents/a","percent":10,"reason":"because","shared_from":5,"#
        + #""time":"2026-11-21T06:45:03.611Z","total_bytes":2000,"until":"2026-11-21T06:46:00.000Z","#
        + #""url":"https://example.org/a"}"#
}
