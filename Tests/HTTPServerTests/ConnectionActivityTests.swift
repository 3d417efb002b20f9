import NIOCore
import NIOHTTPTypes
import Testing

@testable import HTTPServer

@Suite("When a connection is closed")
struct ConnectionActivityTests {
    private static let start = NIODeadline.uptimeNanoseconds(1)
    private static let head = HTTPRequestPart.head(
        .init(method: .get, scheme: nil, authority: nil, path: "/")
    )
    private static let body = HTTPRequestPart.body(ByteBuffer())
    private static let end = HTTPRequestPart.end(nil)

    private static func after(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    private var activity = ConnectionActivity(patience: .seconds(10), now: start)
    private var isClosed = false

    @Test("without a request: after the patience")
    func silent() {
        #expect(activity.verdict(now: Self.after(9)) == .waits(until: Self.after(10)))
        #expect(activity.verdict(now: Self.after(10)) == .overdue)
        #expect(activity.verdict(now: Self.after(99)) == .overdue)
    }

    @Test("in the middle of a request: after the patience without a further part")
    mutating func slow() {
        activity.received(Self.head, now: Self.after(5))
        #expect(activity.verdict(now: Self.after(10)) == .waits(until: Self.after(15)))
        activity.received(Self.body, now: Self.after(14))
        #expect(activity.verdict(now: Self.after(23)) == .waits(until: Self.after(24)))
        #expect(activity.verdict(now: Self.after(24)) == .overdue)
    }

    @Test("while a whole request is being answered: never; the patience begins when that is done")
    mutating func busy() {
        activity.received(Self.head, now: Self.after(1))
        activity.received(Self.end, now: Self.after(2))
        #expect(activity.verdict(now: Self.after(1000)) == .busy)
        isClosed = activity.answered(now: Self.after(1000))
        #expect(!isClosed)
        #expect(activity.verdict(now: Self.after(1009)) == .waits(until: Self.after(1010)))
        #expect(activity.verdict(now: Self.after(1010)) == .overdue)
    }

    @Test("with requests that wait for their turn: never")
    mutating func pipelined() {
        for _ in 1...2 {
            activity.received(Self.head, now: Self.after(1))
            activity.received(Self.end, now: Self.after(1))
        }
        isClosed = activity.answered(now: Self.after(3))
        #expect(!isClosed)
        #expect(activity.verdict(now: Self.after(50)) == .busy)
        isClosed = activity.answered(now: Self.after(50))
        #expect(!isClosed)
        #expect(activity.verdict(now: Self.after(60)) == .overdue)
    }

    @Test(
        "while one request is being answered and the next is being received: never; the patience is the next one's"
    )
    mutating func behindAnother() {
        activity.received(Self.head, now: Self.after(1))
        activity.received(Self.end, now: Self.after(1))
        activity.received(Self.head, now: Self.after(2))
        #expect(activity.verdict(now: Self.after(60)) == .busy)
        isClosed = activity.answered(now: Self.after(60))
        #expect(!isClosed)
        #expect(activity.verdict(now: Self.after(60)) == .waits(until: Self.after(70)))
        #expect(activity.verdict(now: Self.after(70)) == .overdue)
    }

    @Test("answered before its body has come: after the patience without a further part")
    mutating func answeredEarly() {
        activity.received(Self.head, now: Self.after(1))
        isClosed = activity.answered(now: Self.after(2))
        #expect(!isClosed)
        activity.received(Self.body, now: Self.after(8))
        #expect(activity.verdict(now: Self.after(12)) == .waits(until: Self.after(18)))
    }

    @Test("answered without having been a request: the next one is counted none the less")
    mutating func broken() {
        isClosed = activity.answered(now: Self.after(1))
        #expect(!isClosed)
        activity.received(Self.head, now: Self.after(2))
        activity.received(Self.end, now: Self.after(2))
        #expect(activity.verdict(now: Self.after(100)) == .busy)
    }

    @Test("where no further request is wanted: at once, or when all have been answered")
    mutating func quiesces() {
        var idle = activity
        let closesIdle = idle.quiesce()
        #expect(closesIdle)
        for _ in 1...2 { activity.received(Self.head, now: Self.after(1)) }
        let closesBusy = activity.quiesce()
        #expect(!closesBusy)
        isClosed = activity.answered(now: Self.after(2))
        #expect(!isClosed)
        isClosed = activity.answered(now: Self.after(2))
        #expect(isClosed)
    }
}
