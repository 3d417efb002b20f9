import ControlAPI
import TestSupport
import Vocabulary

/// Values of the API's shapes at random: every member there or not, and texts with all that JSON has to escape.
struct RandomShapes {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func page() -> PageJSON<JobJSON> {
        let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in job() }
        return PageJSON(
            items: items,
            total: Int(count()),
            hasMore: Bool.random(using: &random),
            next: maybe { $0.text() },
            oldest: maybe { $0.count() },
            newest: maybe { $0.count() }
        )
    }

    mutating func job() -> JobJSON {
        var job = JobJSON(
            id: count(),
            batch: count(),
            url: text(),
            state: word(),
            name: text(),
            bytes: count(),
            attempts: Int(count()),
            priority: Int.random(in: -100...100, using: &random),
            createdAt: text(),
            elapsed: number()
        )
        job.path = maybe { $0.text() }
        job.totalBytes = maybe { $0.count() }
        job.length = maybe { $0.word() }
        job.percent = maybe { Int.random(in: 0...100, using: &$0.random) }
        job.bytesPerSecond = maybe { $0.number() }
        job.sha256 = maybe { $0.text() }
        job.waiting = maybe { shapes in
            .init(code: shapes.maybe { $0.text() }, reason: shapes.text(), until: shapes.text())
        }
        job.error = maybe { .init(code: $0.text(), message: $0.text()) }
        job.detection = maybe { $0.detection() }
        job.rateLimit = maybe { $0.count() }
        job.expectedSHA256 = maybe { $0.text() }
        job.finishedAt = maybe { $0.text() }
        job.source = maybe { $0.text() }
        job.itemKey = maybe { $0.text() }
        job.meta = maybe { $0.meta() }
        job.evictedAt = maybe { $0.text() }
        job.isPinned = maybe { Bool.random(using: &$0.random) }
        job.weight = maybe { Int.random(in: 1...1000, using: &$0.random) }
        job.ended = maybe { $0.count() }
        job.ending = maybe { $0.word() }
        return job
    }

    mutating func event() -> EventJSON {
        var event = EventJSON(
            id: count(),
            time: text(),
            elapsed: number(),
            batch: count(),
            job: count(),
            kind: word(),
            message: text()
        )
        event.name = maybe { $0.text() }
        event.url = maybe { $0.text() }
        event.path = maybe { $0.text() }
        event.length = maybe { $0.word() }
        event.percent = maybe { Int($0.count()) }
        event.bytes = maybe { $0.count() }
        event.totalBytes = maybe { $0.count() }
        event.reason = maybe { $0.text() }
        event.code = maybe { $0.text() }
        event.until = maybe { $0.text() }
        event.faceCount = maybe { Int($0.count()) }
        event.outcome = maybe { $0.word() }
        event.sharedFrom = maybe { $0.count() }
        return event
    }

    mutating func batch() -> BatchJSON {
        BatchJSON(
            id: count(),
            createdAt: text(),
            elapsed: number(),
            submittedBy: maybe { UInt32.random(in: 0...(.max), using: &$0.random) },
            jobCount: Int(count()),
            states: counts(),
            jobs: maybe { shapes in
                (0..<Int.random(in: 0...3, using: &shapes.random)).map { _ in shapes.count() }
            }
        )
    }

    mutating func status() -> StatusJSON {
        StatusJSON(
            version: text(),
            state: word(),
            uptime: number(),
            jobs: counts(),
            transfers: .init(active: Int(count()), bytesPerSecond: number(), proxy: maybe { $0.text() }),
            detection: .init(
                gate: word(),
                active: Int(count()),
                waiting: Int(count()),
                engine: maybe { $0.word() }
            ),
            disk: .init(freeBytes: maybe { $0.count() }, reserveBytes: maybe { $0.count() }),
            holds: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                .init(kind: word(), reason: text(), until: maybe { $0.text() })
            },
            mayChange: Bool.random(using: &random),
            store: maybe { $0.text() },
            webhook: maybe { shapes in
                .init(
                    state: shapes.word(),
                    lag: Int(shapes.count()),
                    lastError: shapes.maybe { $0.text() },
                    until: shapes.maybe { $0.text() }
                )
            },
            reporting: maybe { shapes in
                .init(
                    state: shapes.word(),
                    sent: Int(shapes.count()),
                    dropped: Int(shapes.count()),
                    lastError: shapes.maybe { $0.text() }
                )
            },
            sources: maybe { shapes in .init { _ in Int(shapes.count()) } }
        )
    }

    mutating func problem() -> ProblemJSON {
        ProblemJSON(
            title: text(),
            status: Int.random(in: 400...599, using: &random),
            code: text(),
            detail: text(),
            errors: maybe { shapes in
                (0..<Int.random(in: 0...3, using: &shapes.random)).map { _ in
                    .init(index: Int(shapes.count()), field: shapes.text(), reason: shapes.text())
                }
            }
        )
    }

    mutating func progress() -> ProgressJSON {
        ProgressJSON(
            job: count(),
            batch: count(),
            bytes: count(),
            totalBytes: maybe { $0.count() },
            bytesPerSecond: number()
        )
    }

    mutating func notice() -> NoticeJSON {
        NoticeJSON(after: count(), oldest: maybe { $0.count() }, detail: text())
    }

    mutating func request() -> BatchRequest {
        BatchRequest(
            items: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                .init(
                    url: text(),
                    name: maybe { $0.text() },
                    sha256: maybe { $0.text() },
                    priority: maybe { Int.random(in: -100...100, using: &$0.random) },
                    headers: maybe { ["X-" + $0.text(): $0.text(), "Cookie": $0.text()] },
                    rateLimit: maybe { $0.count() },
                    meta: maybe { $0.meta() }
                )
            }
        )
    }

    /// Makes objects that say one word or number.
    mutating func small() -> [any APIObject] {
        [
            SteeredJSON(changed: Int(count()), matched: maybe { Int($0.count()) }),
            ForgottenJSON(forgotten: Int(count()), kept: Int(count())),
            ForgetRequest(
                ids: maybe { [$0.count()] },
                batch: maybe { $0.count() },
                endedBefore: maybe { $0.text() }
            ), GateJSON(gate: word()),
            RetryRequest(url: maybe { $0.text() }),
            DetectRequest(engine: maybe { $0.word() }), JobChange(priority: Int(count())),
        ]
    }

    private mutating func meta() -> MetaJSON { MetaJSON(["a" + text(): text(), "b": text()]) }

    private mutating func counts() -> JobCountsJSON {
        var counts = JobCountsJSON()
        for _ in 0..<Int.random(in: 0...9, using: &random) { counts[word()] = Int(count()) }
        return counts
    }

    private mutating func detection() -> DetectionJSON {
        let faces = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Face(
                x: Int.random(in: -9...9999, using: &random),
                y: Int.random(in: -9...9999, using: &random),
                width: Int(count()),
                height: Int(count()),
                confidence: number(),
                landmarks: maybe { shapes in
                    (0..<5).map { _ in Face.Point(x: Int(shapes.count()), y: Int(shapes.count())) }
                }
            )
        }
        return DetectionJSON(
            outcome: word(),
            faceCount: maybe { Int($0.count()) },
            faces: faces,
            width: maybe { Int($0.count()) + 1 },
            height: maybe { Int($0.count()) + 1 },
            orientation: maybe { Int.random(in: 1...8, using: &$0.random) },
            format: maybe { $0.text() },
            looks: (0..<Int.random(in: 0...3, using: &random)).map { _ in Int(count()) + 1 },
            reason: maybe { $0.text() },
            damaged: maybe { _ in true },
            fingerprint: maybe { $0.text() },
            engine: word(),
            parameters: text(),
            sharedFrom: maybe { $0.count() },
            seconds: number()
        )
    }

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    /// A word of the list, now and then one that no list has.
    private mutating func word<Known>() -> APIWord<Known> {
        if let known = Known.allCases.randomElement(using: &random), Int.random(in: 0..<8, using: &random) > 0
        {
            return .known(known)
        }
        return APIWord("x" + text())
    }

    private mutating func count() -> Int64 {
        Int64.random(in: 0...(Int64.max >> Int64.random(in: 0..<63, using: &random)), using: &random)
    }

    /// Seconds, rates and confidences are of this kind: zero or more, often whole, or of three decimals.
    private mutating func number() -> Double {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Double(Int.random(in: 0...1_000_000, using: &random))
        case 1: Double(Int.random(in: 0...1_000_000_000, using: &random)) / 1000
        case 2: Double.random(in: 0...1, using: &random)
        default: Double.random(in: 0...1e12, using: &random)
        }
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "é", "/", "\\", "\"", "\u{0}", "\u{7}", "\u{8}", "\t", "\n", "\u{C}", "\r", "\u{1F}",
            "\u{7F}",
            "\u{2028}", "\u{202E}", "👩‍👩‍👧", "\u{FFFF}", "<b>", "null",
        ]
        return (0..<Int.random(in: 0...12, using: &random))
            .compactMap { _ in pieces.randomElement(using: &random) }.joined()
    }
}
