import ControlAPI
import NIOCore

/// A page of jobs as JSON, the same that an encoder would make of it.
enum JobPageText {
    /// Encodes a page.
    static func encode(_ page: PageJSON<JobJSON>) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(minimumWritableBytes: 64 + 512 * page.items.count)
        var text = JSONText(after: buffer)
        text.object { text in
            text.name("has_more")
            text.value(page.hasMore)
            text.name("items")
            text.array(page.items) { write($1, to: &$0) }
            text.name("next")
            text.value(page.next)
            text.name("total")
            text.value(Int64(page.total))
        }
        return text.buffer
    }

    private static func write(_ job: JobJSON, to text: inout JSONText) {
        text.object { text in
            text.name("attempts")
            text.value(Int64(job.attempts))
            text.name("batch")
            text.value(job.batch)
            text.name("bytes")
            text.value(job.bytes)
            text.name("bytes_per_second")
            text.value(job.bytesPerSecond)
            text.name("created_at")
            text.value(job.createdAt)
            text.name("detection")
            write(job.detection, to: &text)
            text.name("elapsed")
            text.value(job.elapsed)
            text.name("error")
            write(job.error.map { ("code", $0.code, "message", $0.message) }, to: &text)
            text.name("expected_sha256")
            text.value(job.expectedSHA256)
            text.name("finished_at")
            text.value(job.finishedAt)
            text.name("id")
            text.value(job.id)
            text.name("name")
            text.value(job.name)
            text.name("path")
            text.value(job.path)
            text.name("percent")
            text.value(job.percent.map { Int64($0) })
            text.name("priority")
            text.value(Int64(job.priority))
            text.name("rate_limit")
            text.value(job.rateLimit)
            text.name("sha256")
            text.value(job.sha256)
            text.name("state")
            text.value(job.state.text)
            text.name("total_bytes")
            text.value(job.totalBytes)
            text.name("url")
            text.value(job.url)
            text.name("waiting")
            write(job.waiting, to: &text)
        }
    }

    private static func write(
        _ pair: (StaticString, String, StaticString, String)?,
        to text: inout JSONText
    ) {
        guard let pair else { return text.null() }
        text.object { text in
            text.name(pair.0)
            text.value(pair.1)
            text.name(pair.2)
            text.value(pair.3)
        }
    }

    private static func write(_ waiting: JobJSON.WaitingJSON?, to text: inout JSONText) {
        guard let waiting else { return text.null() }
        text.object { text in
            if let code = waiting.code {
                text.name("code")
                text.value(code)
            }
            text.name("reason")
            text.value(waiting.reason)
            text.name("until")
            text.value(waiting.until)
        }
    }

    private static func write(_ detection: DetectionJSON?, to text: inout JSONText) {
        guard let detection else { return text.null() }
        text.object { text in
            text.name("engine")
            text.value(detection.engine.text)
            text.name("face_count")
            text.value(detection.faceCount.map { Int64($0) })
            text.name("faces")
            text.array(detection.faces) { write($1, to: &$0) }
            text.name("outcome")
            text.value(detection.outcome.text)
            text.name("parameters")
            text.value(detection.parameters)
            text.name("seconds")
            text.value(detection.seconds)
            text.name("shared_from")
            text.value(detection.sharedFrom)
        }
    }

    private static func write(_ face: FaceJSON, to text: inout JSONText) {
        text.object { text in
            text.name("confidence")
            text.value(face.confidence)
            text.name("height")
            text.value(Int64(face.height))
            text.name("width")
            text.value(Int64(face.width))
            text.name("x")
            text.value(Int64(face.x))
            text.name("y")
            text.value(Int64(face.y))
        }
    }
}
