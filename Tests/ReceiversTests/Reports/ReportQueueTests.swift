import Testing

@testable import Receivers

@Suite("What is sent when")
struct ReportQueueTests {
    @Test(
        "follows from the receiver's answer",
        arguments: [
            (200, nil, nil, .taken(pause: 0)), (202, 5, nil, .taken(pause: 0)),
            (200, nil, "60:error:org", .taken(pause: 60)),
            (200, nil, "60:transaction;session:org, 70:attachment:org", .taken(pause: 0)),
            (429, nil, nil, .failed(words(429), pause: 60)), (429, 7, nil, .failed(words(429), pause: 7)),
            (429, 7, "2700::organization", .failed(words(429), pause: 2700)),
            (429, 7, "10:transaction:org", .failed(words(429), pause: 7)),
            (429, 1e18, nil, .failed(words(429), pause: 86_400)),
            (429, nil, "1e300::", .failed(words(429), pause: 86_400)),
            (429, 9, "nan::,-1::,inf::,::::,x", .failed(words(429), pause: 9)),
            (429, 9, "5: Default :key:reason, 6:ERROR;span:key", .failed(words(429), pause: 6)),
            (503, nil, nil, .failed(words(503), pause: nil)), (503, 30, nil, .failed(words(503), pause: 30)),
            (302, nil, nil, .failed(words(302), pause: nil)),
            (403, nil, nil, .failed(words(403), pause: nil)),
            (400, nil, nil, .refused(words(400))), (413, 5, nil, .refused(words(413))),
        ] as [(Int, Double?, String?, ReceiverVerdict)]
    )
    func verdicts(status: Int, retryAfter: Double?, limits: String?, verdict: ReceiverVerdict) {
        #expect(ReceiverVerdict(status: status, retryAfter: retryAfter, limits: limits) == verdict)
    }

    private static func words(_ status: Int) -> String { "the receiver answered with status \(status)" }

    @Test("One report goes after the other, and one that fails is tried again, ever more rarely")
    func order() {
        var queue = ReportQueue()
        func add(_ name: String) -> Bool { queue.add(name, length: 10) }
        #expect(queue.next(now: 0) == .wait(seconds: nil))
        for name in ["a", "b"] { #expect(add(name)) }
        #expect(queue.next(now: 0) == .send("a"))
        var now = 0.0
        for pause in [5.0, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600] {
            queue.answered("a", .failed("no", pause: nil), now: now)
            #expect(queue.isWaiting(now: now) && queue.lastError == "no")
            #expect(queue.next(now: now) == .wait(seconds: pause))
            now += pause
            #expect(queue.next(now: now) == .send("a"))
        }
        queue.answered("a", .failed("no", pause: 7), now: now)
        #expect(queue.next(now: now) == .wait(seconds: 7))
        queue.goOn()
        #expect(queue.next(now: now) == .send("a"))
        queue.answered("a", .taken(pause: 30), now: now)
        #expect(queue.lastError == nil && queue.next(now: now) == .wait(seconds: 30))
        #expect(queue.next(now: now + 30) == .send("b"))
        queue.answered("b", .refused("never"), now: now + 30)
        #expect(queue.next(now: now + 30) == .wait(seconds: nil) && queue.lastError == "never")
    }

    @Test("What is kept is bounded, and what came first stays")
    func bounds() {
        var queue = ReportQueue()
        func add(_ name: String, _ length: Int) -> Bool { queue.add(name, length: length) }
        for index in 0..<ReportQueue.maximumCount { #expect(add("\(index)", 100)) }
        #expect(!add("more", 1))
        #expect(queue.names.first == "0")
        queue = ReportQueue()
        #expect(add("a", ReportQueue.maximumLength))
        #expect(!add("b", 1))
        queue.lost("a")
        #expect(add("b", 1))
        #expect(queue.names == ["b"])
    }
}
