import ControlAPI
import Foundation
import TestSupport
import Vocabulary

/// Values of the API for tests to start from.
enum Samples {
    static func job(
        _ id: Int64,
        state: APIWord<JobState> = "done",
        faces: Int? = 7,
        name: String = "a.jpg"
    ) -> JobJSON {
        var job = JobJSON(
            id: id,
            batch: 1,
            url: "https://example.org/\(name)",
            state: state,
            name: name,
            bytes: state == "done" ? 1_234_567 : 0,
            attempts: 1,
            priority: 0,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 0.999
        )
        guard state == "done" else { return job }
        job.totalBytes = job.bytes
        job.percent = 100
        job.path = "/documents/\(name)"
        job.finishedAt = "2026-11-21T06:45:04.610Z"
        if let faces {
            job.detection = DetectionJSON(
                outcome: "counted",
                faceCount: faces,
                faces: [Face(x: 40, y: 50, width: 120, height: 130, confidence: 0.93)],
                width: 4000,
                height: 3000,
                orientation: 6,
                format: "jpeg",
                looks: [960, 2560],
                engine: "haar",
                parameters: "alt 960",
                sharedFrom: nil,
                seconds: 0.208
            )
        }
        return job
    }

    static func failedJob(_ id: Int64) -> JobJSON {
        var job = job(id, state: "failed", name: "b.jpg")
        job.error = .init(code: "http_404", message: "The server says 404 for https://example.org/b.jpg")
        return job
    }

    static func batch(_ jobs: [Int64], states: JobCountsJSON = [:]) -> BatchJSON {
        BatchJSON(
            id: 1,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 0,
            submittedBy: 0,
            jobCount: jobs.count,
            states: states,
            jobs: jobs
        )
    }

    static func event(
        _ id: Int64,
        _ kind: APIWord<EventWord>,
        _ message: String,
        job: Int64 = 1,
        elapsed: Double = 0.091,
        _ change: (inout EventJSON) -> Void = { _ in }
    ) -> EventJSON {
        var event = EventJSON(
            id: id,
            time: "2026-11-21T06:45:03.702Z",
            elapsed: elapsed,
            batch: 1,
            job: job,
            kind: kind,
            message: message
        )
        event.name = "a.jpg"
        change(&event)
        return event
    }

    static func page(_ jobs: [JobJSON], total: Int? = nil, next: String? = nil) -> PageJSON<JobJSON> {
        PageJSON(items: jobs, total: total ?? jobs.count, hasMore: next != nil, next: next)
    }

    static let status = StatusJSON(
        version: "0.1.0",
        state: "running",
        uptime: 185,
        jobs: ["queued": 5, "downloading": 2, "done": 1234],
        transfers: .init(active: 2, bytesPerSecond: 3_200_000),
        detection: .init(gate: "open", active: 1, waiting: 4, engine: "haar"),
        disk: .init(freeBytes: 12_300_000_000)
    )

    /// An event as the stream sends it.
    static func piece(_ event: EventJSON) -> String {
        "event: job\nid: \(event.id)\ndata: \(text(event))\n\n"
    }

    /// A transfer's progress as the stream sends it.
    static func piece(_ progress: ProgressJSON) -> String { "event: progress\ndata: \(text(progress))\n\n" }

    /// The events of one file from its start to its faces.
    static func story(job: Int64 = 1, from id: Int64 = 1) -> [EventJSON] {
        [
            event(id, "started", "started download of https://example.org/a.jpg", job: job, elapsed: 0),
            event(id + 1, "progressed", "downloading \"a.jpg\", 10% done", job: job) { $0.percent = 10 },
            event(id + 2, "stored", "stored \"a.jpg\" at /documents/a.jpg", job: job, elapsed: 0.791),
            event(
                id + 3,
                "detection_started",
                "started face detection in \"a.jpg\"",
                job: job,
                elapsed: 0.791
            ),
            event(
                id + 4,
                "detection_finished",
                "finished face detection in \"a.jpg\": 7 faces",
                job: job,
                elapsed: 0.999
            ) { $0.faceCount = 7 },
        ]
    }

    private static func text(_ value: some Encodable) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }
}
