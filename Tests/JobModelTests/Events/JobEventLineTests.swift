import JobModel
import Testing
import Vocabulary

struct JobEventLineTests {
    private static let accepted = Moment(microseconds: 1_795_243_503_611_000)

    private func line(_ kind: JobEvent.Kind, after seconds: Double = 0) -> String {
        JobEvent(
            id: 1,
            time: Self.accepted.adding(seconds: seconds),
            batchCreatedAt: Self.accepted,
            batch: BatchID(rawValue: 1),
            job: JobID(rawValue: 3),
            kind: kind
        ).logLine
    }

    @Test("The frame is the time, the batch, the job and the seconds on the batch's clock")
    func frame() {
        let expected =
            "\(Self.accepted.wall.rfc3339) b1 j3 0.000 started download of https://example.org/a.jpg"
        #expect(line(.started(url: "https://example.org/a.jpg")) == expected)
        #expect(Self.accepted.wall.rfc3339.hasSuffix(".611Z"))
        #expect(line(.paused(name: "a.jpg"), after: 0.0919).contains(" b1 j3 0.091 "))
        #expect(line(.paused(name: "a.jpg"), after: 4521.5).contains(" b1 j3 4521.500 "))
        #expect(line(.paused(name: "a.jpg"), after: -5).contains(" b1 j3 0.000 "))
    }

    @Test(
        "Every kind has the words of the design",
        arguments: [
            (JobEvent.Kind.started(url: "U"), "started download of U"),
            (.progressed(name: "a.jpg", percent: 10), "downloading \"a.jpg\", 10% done"),
            (.received(name: "a.jpg", bytes: 1_048_576), "downloading \"a.jpg\", 1048576 bytes done"),
            (
                .resumed(name: "a.jpg", offset: 524_288, total: 1_048_576),
                "resumed download of \"a.jpg\" at byte 524288 of 1048576"
            ),
            (.restarted(name: "a.jpg", reason: "R"), "restarted download of \"a.jpg\" from zero: R"),
            (.finished(url: "U", partialPath: "/p/3.part"), "finished download of U to /p/3.part"),
            (.stored(name: "a.jpg", path: "/d/a.jpg"), "stored \"a.jpg\" at /d/a.jpg"),
            (
                .waiting(
                    name: "a.jpg",
                    until: accepted.wall,
                    reason: JobFailure(.timedOut, "it took too long")
                ),
                "waiting to retry \"a.jpg\" until \(accepted.wall.rfc3339): it took too long"
            ),
            (
                .failed(url: "U", failure: JobFailure(.http(404), "the server answered 404 Not Found")),
                "failed download of U: http_404, the server answered 404 Not Found"
            ),
            (.paused(name: "a.jpg"), "paused \"a.jpg\""), (.continued(name: "a.jpg"), "continued \"a.jpg\""),
            (.cancelled(name: "a.jpg"), "cancelled \"a.jpg\""),
            (.detectionStarted(name: "a.jpg"), "started face detection in \"a.jpg\""),
            (
                .detectionFinished(name: "a.jpg", faceCount: 7),
                "finished face detection in \"a.jpg\": 7 faces"
            ),
            (.detectionFinished(name: "a.jpg", faceCount: 1), "finished face detection in \"a.jpg\": 1 face"),
            (
                .detectionFinished(name: "a.jpg", faceCount: 2, sharedFrom: JobID(rawValue: 3)),
                "finished face detection in \"a.jpg\": 2 faces, the same bytes as j3"
            ),
            (
                .detectionFailed(name: "a.jpg", outcome: .crashed, sharedFrom: JobID(rawValue: 3)),
                "failed face detection in \"a.jpg\": crashed, the same bytes as j3"
            ),
            (.stored(name: "a.jpg", path: "/d/a.jpg"), "stored \"a.jpg\" at /d/a.jpg"),
            (
                .stored(name: "a.jpg", path: "/d/a.jpg", length: .unproven),
                "stored \"a.jpg\" at /d/a.jpg, of unproven length"
            ),
            (.detectionCancelled(name: "a.jpg"), "cancelled face detection in \"a.jpg\""),
            (
                .detectionFailed(name: "a.jpg", outcome: .unreadable, reason: "is empty"),
                "failed face detection in \"a.jpg\": unreadable, is empty"
            ),
            (.detectionFailed(name: "a.jpg", outcome: .skipped), "skipped face detection in \"a.jpg\""),
            (.evicted(name: "a.jpg"), "removed \"a.jpg\" to make room"),
            (.removed(name: "a.jpg"), "removed \"a.jpg\""),
            (.detectionDeferred(name: "a.jpg"), "deferred face detection in \"a.jpg\""),
            (
                .detectionFailed(name: "a.jpg", outcome: .timedOut),
                "failed face detection in \"a.jpg\": timed_out"
            ),
        ]
    )
    func words(kind: JobEvent.Kind, words: String) {
        #expect(line(kind).hasSuffix(" 0.000 " + words))
    }

    @Test("One event is one line, whatever is in a name")
    func escaping() {
        let text = line(.paused(name: "a\n\r\t\u{1B}[31m\u{202E}\u{2028}\"b\".jpg"))
        #expect(text.hasSuffix(#"paused "a\n\r\t\u{1b}[31m\u{202e}\u{2028}\"b\".jpg""#))
    }

    @Test("A line is at most 4 KB with its line feed, and stays valid UTF-8")
    func longLine() {
        let text = line(.started(url: "https://example.org/" + String(repeating: "é", count: 4000)))
        #expect(text.utf8.count < JobEvent.maximumLineLength)
        #expect(text.hasSuffix("é…"))
    }

    @Test("A monstrous URL leaves room for what is said after it, and one character of any size is cut")
    func monsters() {
        let url = "https://example.org/" + String(repeating: "a", count: 8000)
        #expect(line(.finished(url: url, partialPath: "/p/3.part")).hasSuffix("aaa… to /p/3.part"))
        let failed = line(.failed(url: url, failure: JobFailure(.http(404), "the server answered 404")))
        #expect(failed.hasSuffix("aaa…: http_404, the server answered 404"))
        let marks = "e" + String(repeating: "\u{301}", count: 9000)
        for kind in [JobEvent.Kind.paused(name: marks), .stored(name: marks, path: "/" + marks)] {
            let text = line(kind)
            #expect(text.utf8.count < JobEvent.maximumLineLength && text.utf8.count > 3900)
        }
    }
}
