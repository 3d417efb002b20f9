import ControlAPI
import TestSupport
import Testing

@testable import facefetch

@Suite("A batch's progress")
struct BatchProgressTests {
    private func progress(_ events: [EventJSON], jobs: [Int64] = [1, 2]) -> BatchProgress {
        var progress = BatchProgress(jobs: jobs)
        for event in events { progress.apply(event) }
        return progress
    }

    private func lines(_ progress: BatchProgress, width: Int = 79, rows: Int = 24) -> [String] {
        progress.lines(width: width, rows: rows)
    }

    @Test("Each active file has a line, and the count stands under them")
    func active() {
        let progress = progress([
            Samples.event(1, "progressed", "", job: 1) { $0.percent = 30 },
            Samples.event(2, "detection_started", "", job: 2) { $0.name = "b.jpg" },
        ])
        #expect(
            lines(progress) == [
                "Downloading \"a.jpg\", 30% done…", "Detecting faces in \"b.jpg\"…", "0 of 2 files done",
            ]
        )
    }

    @Test("What waits stands below what moves")
    func waiting() {
        let progress = progress([
            Samples.event(1, "waiting", "", job: 1) { $0.reason = "connection refused" },
            Samples.event(2, "received", "", job: 2) { ($0.name, $0.bytes) = ("b.jpg", 1_200_000) },
        ])
        #expect(
            lines(progress) == [
                "Downloading \"b.jpg\", 1.2 MB done…",
                "Waiting to retry \"a.jpg\" until later: connection refused", "0 of 2 files done",
            ]
        )
    }

    @Test("A second look that is cancelled is over, as is its job")
    func secondLook() {
        let progress = progress(
            [
                Samples.event(1, "detection_started", "", job: 1),
                Samples.event(2, "detection_cancelled", "", job: 1),
            ],
            jobs: [1]
        )
        #expect(progress.isOver && progress.files.isEmpty)
    }

    @Test("A transfer's own progress moves the line on, and a file that is done leaves")
    func moves() {
        var progress = progress([Samples.event(1, "started", "") { $0.url = "http://h/a.jpg" }])
        #expect(lines(progress).first == "Downloading \"a.jpg\"…")
        progress.apply(ProgressJSON(job: 1, batch: 1, bytes: 379, totalBytes: 1000, bytesPerSecond: 1))
        #expect(lines(progress).first == "Downloading \"a.jpg\", 37% of 1.0 kB, 1 B/s, 10 min 21 s left…")
        progress.apply(Samples.event(2, "detection_finished", ""))
        #expect(lines(progress) == ["1 of 2 files done"])
        progress.apply(ProgressJSON(job: 1, batch: 1, bytes: 1, totalBytes: 1000, bytesPerSecond: 1))
        #expect(lines(progress) == ["1 of 2 files done"])
        #expect(!progress.isOver)
        progress.apply(Samples.event(3, "cancelled", "", job: 2))
        #expect(progress.isOver)
    }

    @Test("Speed, size and time left stay between an event and the next news of the transfer")
    func pace() {
        var progress = progress([Samples.event(1, "started", "")])
        progress.apply(
            ProgressJSON(job: 1, batch: 1, bytes: 400_000, totalBytes: 1_000_000, bytesPerSecond: 60_000)
        )
        let line = "Downloading \"a.jpg\", 40% of 1.0 MB, 60 kB/s, 10 s left…"
        #expect(lines(progress).first == line)
        progress.apply(Samples.event(2, "progressed", "") { $0.percent = 40 })
        #expect(lines(progress).first == line)
        progress.apply(Samples.event(3, "finished", ""))
        #expect(lines(progress).first == "Downloading \"a.jpg\", 100% of 1.0 MB…")
    }

    @Test("A job's own time is from its beginning to its end")
    func took() {
        let progress = progress([
            Samples.event(1, "started", "", job: 1, elapsed: 2),
            Samples.event(2, "detection_finished", "", job: 1, elapsed: 2.5),
            Samples.event(3, "failed", "", job: 2, elapsed: 3),
        ])
        #expect(progress.took == [1: 0.5])
    }

    @Test("Jobs that are known already are taken as they are, and others' events are nobody's")
    func known() {
        var progress = BatchProgress(jobs: [1, 2])
        progress.apply(Samples.job(1))
        progress.apply(Samples.job(2, state: "paused"))
        progress.apply(Samples.job(3, state: "paused"))
        #expect(progress.unfinished == [2] && !progress.waits(for: 3))
        #expect(lines(progress) == ["Paused \"a.jpg\"", "1 of 2 files done"])
    }

    @Test("A failed job that somebody tries again is waited for again")
    func triedAgain() {
        var progress = progress([Samples.event(1, "failed", "")], jobs: [1])
        #expect(progress.isOver)
        progress.apply(Samples.event(2, "restarted", ""))
        #expect(!progress.isOver)
    }

    @Test("An event of a kind that a newer daemon knows changes nothing, and is no download")
    func unknown() {
        var progress = progress([
            Samples.event(1, "stored", "", job: 1), Samples.event(2, "failed", "", job: 2),
        ])
        let (before, left) = (progress.files, progress.unfinished)
        for job in Int64(1)...2 { progress.apply(Samples.event(2 + job, "verified", "", job: job)) }
        #expect(progress.files == before && before[1]?.phase == .stored)
        #expect(progress.unfinished == left && left == [1])
    }

    @Test("Jobs that the daemon no longer knows are waited for no longer")
    func forgotten() {
        var progress = BatchProgress(jobs: [1, 2, 3])
        for job in Int64(1)...2 { progress.apply(Samples.event(job, "started", "", job: job)) }
        progress.forgetAll(but: [1])
        #expect(progress.unfinished == [1] && Array(progress.files.keys) == [1])
        progress.forgetAll(but: [])
        #expect(progress.isOver)
    }

    @Test("In a low window the rest is counted")
    func low() {
        var progress = BatchProgress(jobs: Array(1...9))
        for job in Int64(1)...9 { progress.apply(Samples.event(job, "started", "", job: job)) }
        #expect(lines(progress, rows: 4).count == 3)
        #expect(lines(progress, rows: 4).last == "0 of 9 files done, 7 more active")
        #expect(lines(progress, rows: 1) == ["0 of 9 files done, 9 more active"])
    }

    @Test("Lines never pass the window's width, and the name gives way first")
    func narrow() {
        var progress = BatchProgress(jobs: [1])
        progress.apply(
            Samples.event(1, "progressed", "") { ($0.name, $0.percent) = ("日本-a-very-long-name.jpg", 40) }
        )
        #expect(lines(progress, width: 40).first == "Downloading \"日本-a-…ame.jpg\", 40% done…")
        for width in 1...80 {
            #expect(lines(progress, width: width).allSatisfy { $0.columns <= width })
        }
    }

    @Test("A name from outside can't steer the terminal")
    func hostile() {
        var progress = BatchProgress(jobs: [1])
        progress.apply(Samples.event(1, "detection_started", "") { $0.name = "\u{1b}[2J\n.jpg" })
        #expect(lines(progress).first == "Detecting faces in \"\\u{1b}[2J\\n.jpg\"…")
    }
}
