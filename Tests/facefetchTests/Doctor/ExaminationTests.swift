import ControlAPI
import Testing
import Vocabulary

@testable import facefetch

@Suite("What the doctor finds")
struct ExaminationTests {
    private func findings(_ change: (inout Examination) -> Void = { _ in }) -> [Finding] {
        var examination = Examination(
            status: Samples.status,
            socketPath: "/s",
            clientVersion: "0.1.0",
            clock: .init(year: 2027, isSynchronized: true)
        )
        examination.status.detection.engine = .known(.yunet)
        examination.status.disk.reserveBytes = 1_000_000_000
        change(&examination)
        return examination.findings
    }

    private func source(_ state: SourceCondition) -> SourceJSON {
        var source = SourceJSON(
            name: "mars",
            kind: "json",
            state: .init(code: .known(state), until: nil, reason: nil),
            url: "http://h/",
            every: nil,
            createdAt: "2026-11-21T06:45:03.611Z",
            recipe: ""
        )
        source.lastError = .init(code: "no_secret", message: "there is no secret nasa", excerpt: nil)
        return source
    }

    @Test("Where all is well, everything is said to be, and nothing is to be done")
    func well() {
        let all = findings()
        #expect(all.allSatisfy { $0.verdict == .known(.good) && $0.advice == nil }, "\(all)")
        #expect(all.map(\.about) == ["daemon", "version", "rights", "disk", "faces", "network", "clock"])
    }

    @Test("What is wrong is a problem, and says what to do")
    func wrong() throws {
        let cases: [(about: String, words: String, change: (inout Examination) -> Void)] = [
            ("daemon", "starting", { $0.status.state = "starting" }),
            ("version", "0.2.0", { $0.clientVersion = "0.2.0" }),
            (
                "disk", "900 MB are free where documents go, and 1.0 GB have to stay free",
                { $0.status.disk.freeBytes = 900_000_000 }
            ),
            ("disk", "can't be determined", { $0.status.disk.freeBytes = nil }),
            ("held", "no route", { $0.status.holds = [.init(kind: "network", reason: "no route")] }),
            (
                "held", "a portal answers",
                { $0.status.holds = [.init(kind: "portal", reason: "a portal answers instead of the hosts")] }
            ),
            (
                "held", "this machine's clock",
                { $0.status.holds = [.init(kind: "clock", reason: "this machine's clock is wrong")] }
            ),
            (
                "held", "asks for a browser",
                {
                    $0.status.holds = [
                        .init(
                            kind: "host",
                            reason: "a.example:443 asks for a browser: 403",
                            host: "a.example:443"
                        )
                    ]
                }
            ),
            ("clock", "1970", { $0.clock.year = 1970 }),
            ("source", "there is no secret nasa", { $0.sources = [source(.failed)] }),
            (
                "webhook", "nothing more",
                { $0.status.webhook = .init(state: "stopped", lag: 3, lastError: nil, until: nil) }
            ),
        ]
        for (about, words, change) in cases {
            let trouble = findings(change).filter { $0.verdict == .known(.trouble) }
            let found = try #require(trouble.first, "\(about)")
            #expect(trouble.count == 1 && found.about == about && found.text.contains(words), "\(found)")
            #expect(found.advice?.isEmpty == false, "\(about)")
        }
    }

    @Test("What is worth knowing is no problem")
    func notices() throws {
        let cases: [(about: String, words: String, change: (inout Examination) -> Void)] = [
            ("rights", "change nothing", { $0.status.mayChange = false }),
            ("disk", "to stay free", { $0.status.disk.freeBytes = 1_900_000_000 }),
            ("faces", "cascade", { $0.status.detection.engine = .known(.haar) }),
            ("faces", "held", { $0.status.detection.gate = .known(.held) }),
            ("network", "https_proxy", { $0.status.transfers.proxy = "https_proxy" }),
            ("held", "until", { $0.status.holds = [.init(kind: "hours", reason: "until later")] }),
            ("clock", "keeps", { $0.clock.isSynchronized = false }),
            ("source", "can't be looked at: no", { $0.obstacleToSources = "no" }),
            ("source", "mars waits", { $0.sources = [source(.waiting)] }),
            ("jobs", "2 jobs failed", { $0.status.jobs["failed"] = 2 }),
        ]
        for (about, words, change) in cases {
            let all = findings(change)
            #expect(!all.contains { $0.verdict == .known(.trouble) }, "\(about)")
            let notice = try #require(all.first { $0.verdict == .known(.notice) }, "\(about)")
            #expect(notice.about == about && notice.text.contains(words), "\(notice)")
        }
    }

    @Test(
        "Where OpenCV's cascade looks, the way to YuNet is told, which depends on whether its network is there"
    )
    func engine() {
        for (hasNetwork, words) in [
            (nil, "facefetch model install"), (false, "facefetch model install"),
            (true, "detection.engine: auto"),
        ] as [(Bool?, String)] {
            let all = findings {
                ($0.status.detection.engine, $0.status.detection.hasNetwork) = (.known(.haar), hasNetwork)
            }
            let finding = all.first { $0.about == "faces" }
            #expect(finding?.advice?.contains(words) == true, "\(String(describing: finding))")
            var detection = Samples.status.detection
            detection.hasNetwork = hasNetwork
            #expect(EngineWords.line(detection)?.contains(words) == true)
            detection.engine = .known(.yunet)
            #expect(EngineWords.line(detection)?.hasSuffix("detection.engine: haar") == true)
        }
    }

    @Test("What keeps detectors from starting is a problem, and stands in place of the engine")
    func vanishedNetwork() {
        let problem = "documents wait to be looked at: the model /m.onnx can't be read"
        let finding = findings { $0.status.detection.problem = problem }.first { $0.about == "faces" }
        #expect(finding?.verdict == .known(.trouble) && finding?.text == problem)
        var detection = Samples.status.detection
        detection.problem = problem
        #expect(EngineWords.line(detection) == problem)
    }

    @Test("A disk below its reserve is one problem, and another full disk is another")
    func reserve() {
        let reserve = "the disk has 1 bytes free, and 2 are kept free (disk.reserve): downloads wait"
        let full = findings {
            $0.status.disk.freeBytes = 900_000_000
            $0.status.holds = [.init(kind: "disk", reason: reserve)]
        }
        #expect(full.filter { $0.verdict == .known(.trouble) }.map(\.about) == ["disk"])
        let both = findings {
            $0.status.disk.freeBytes = 900_000_000
            $0.status.holds = [.init(kind: "disk", reason: "the disk that the job store is on is full")]
        }
        #expect(both.filter { $0.verdict == .known(.trouble) }.map(\.about) == ["held", "disk"])
        // It may have passed between the two looks.
        let passed = findings { $0.status.holds = [.init(kind: "disk", reason: reserve)] }
        #expect(passed.filter { $0.verdict == .known(.trouble) }.map(\.about) == ["held"])
    }

    @Test("Documents that fill what they may are helped by another limit, and not by room on the disk")
    func maximum() throws {
        let reason = "documents of sources with keep: evictable fill 9 bytes (documents.maximum-size)"
        let all = findings { $0.status.holds = [.init(kind: "room", reason: reason)] }
        let advice = try #require(all.first { $0.about == "held" }?.advice)
        #expect(advice.contains("documents.maximum-size") && advice.contains("unpin"))
    }

    @Test("A daemon that is starting is not said to have lost its directories")
    func starting() {
        let all = findings { ($0.status.state, $0.status.disk.freeBytes) = ("starting", nil) }
        #expect(!all.contains { $0.about == "disk" })
    }

    @Test("A clock of which nobody knows whether it is kept right isn't said to be right")
    func unknownClock() throws {
        let clock = try #require(findings { $0.clock.isSynchronized = nil }.first { $0.about == "clock" })
        #expect(clock.verdict == .known(.good))
        #expect(
            clock.text == "the clock shows the year 2027; whether anything keeps it right can't be asked here"
        )
    }

    @Test("A line says how it is, and the next one what to do")
    func lines() {
        #expect(Finding("clock", .good, "it is right").lines == ["ok       clock      it is right."])
        #expect(
            Finding("disk", .trouble, "it is full", advice: "Make room").lines == [
                "PROBLEM  disk       it is full.", "                    Make room.",
            ]
        )
    }
}
