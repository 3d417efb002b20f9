import ControlAPI
import TestSupport
import Testing

@testable import facefetch

@Suite("What watch shows")
struct WatchViewTests {
    private func busy() -> WatchView {
        var view = WatchView(socketPath: "/run/control.sock")
        view.status = Samples.status
        for job in Int64(1)...4 {
            view.apply(Samples.event(job, "started", "", job: job) { $0.name = "picture-\(job).jpg" })
            view.apply(ProgressJSON(job: job, batch: 1, bytes: 370, totalBytes: 1000, bytesPerSecond: 100))
        }
        view.apply(Samples.event(5, "detection_started", "", job: 4) { $0.name = "picture-4.jpg" })
        view.apply(Samples.event(6, "failed", "", job: 5) { ($0.name, $0.reason) = ("lost.jpg", "404") })
        view.apply(Samples.event(7, "detection_finished", "", job: 6) { $0.faceCount = 1 })
        return view
    }

    @Test("A file has a bar, a percentage, a rate and the time that is left")
    func bar() {
        let file = WatchView.File(name: "a.jpg", bytes: 370, total: 1000, percent: 37, rate: 100)
        #expect(
            file.line(width: 80)
                == "a.jpg".padded(to: 29) + "  ███████░░░░░░░░░░░░░      37%   100 B/s     6.3 s"
        )
        #expect(file.line(width: 40) == "a.jpg".padded(to: 11) + "      37%   100 B/s     6.3 s")
    }

    @Test("In a wide window the bars stay beside their names")
    func wide() {
        let file = WatchView.File(name: "a.jpg", bytes: 370, total: 1000, percent: 37, rate: 100)
        let line = file.line(width: 200, longestName: 11)
        #expect(line.hasPrefix("a.jpg".padded(to: 16) + "  █"))
        let lines = busy().lines(width: 200, rows: 40).map(\.text)
        #expect(lines.contains { $0.hasPrefix("picture-1.jpg".padded(to: 16) + "  █") })
    }

    @Test("What has arrived is being stored, and what has no row is counted")
    func many() {
        var view = WatchView(socketPath: "/s")
        for job in Int64(1)...11 {
            var sample = Samples.job(job, state: "downloading", name: "\(job).jpg")
            (sample.bytes, sample.totalBytes, sample.percent) = (1000, 1000, 100)
            view.apply(sample)
        }
        view.status = Samples.status
        #expect(!view.hasAllFiles)
        view.status?.jobs = ["downloading": 11]
        #expect(view.hasAllFiles)
        let lines = view.lines(width: 80, rows: 13).map(\.text)
        #expect(
            lines.count { $0.contains("storing…") } + 1
                == lines.count { $0.contains("jpg") || $0.hasPrefix("and ") }
        )
        #expect(lines.contains { $0.hasPrefix("and ") && $0.hasSuffix(" more") })
    }

    @Test("The last results come from the store at the start, and don't replace what is known")
    func stored() {
        var view = WatchView(socketPath: "/s")
        view.begin(with: [Samples.job(2), Samples.failedJob(1), Samples.job(3, state: "queued")])
        #expect(view.results.map(\.outcome) == ["7 faces", "failed"])
        view.begin(with: [Samples.job(4)])
        #expect(view.results.count == 2)
    }

    @Test("Results stand newest first, and what failed says why")
    func results() {
        let view = busy()
        #expect(view.results.map(\.outcome) == ["1 face", "failed"])
        #expect(view.results.last?.remark == "404")
        #expect(view.results.last?.isBad == true)
    }

    @Test("A second look that is cancelled brings no result, and leaves no file behind")
    func secondLook() {
        var view = busy()
        let results = view.results
        view.apply(Samples.event(8, "detection_started", "", job: 6))
        #expect(!view.isUnknown(6))
        view.apply(Samples.event(9, "detection_cancelled", "", job: 6))
        #expect(view.isUnknown(6) && view.results == results)
    }

    @Test("Fits every window", arguments: [(80, 24), (40, 10), (20, 5), (200, 60), (5, 2), (1, 1)])
    func fits(width: Int, rows: Int) {
        let lines = busy().lines(width: width, rows: rows)
        #expect(lines.count == rows)
        let rendered = lines.map { $0.rendered(width: width, isStyled: false) }
        #expect(rendered.allSatisfy { $0.columns <= width })
    }

    @Test("Styles are left out where they are not wanted")
    func styles() {
        let line = StyledLine(text: "failed", style: .red)
        #expect(line.rendered(width: 10, isStyled: false) == "failed")
        #expect(line.rendered(width: 10, isStyled: true) == "\u{1b}[31mfailed\u{1b}[0m")
        #expect(line.rendered(width: 4, isStyled: true) == "\u{1b}[31mfai…\u{1b}[0m")
    }

    @Test("An event of a kind that a newer daemon knows leaves the list as it is")
    func unknown() {
        var view = busy()
        let before = view.files
        view.apply(Samples.event(8, "verified", "", job: 1))
        #expect(view.files == before && before[1] != nil)
    }

    @Test("A file that is paused or cancelled leaves the list")
    func leaves() {
        var view = busy()
        view.apply(Samples.event(8, "paused", "", job: 1))
        #expect(view.files[1] == nil)
        view.apply(Samples.job(2))
        #expect(view.files[2] == nil)
    }
}
