import Foundation
import SmallFiles
import Testing

@testable import Receivers

@Suite("What a webhook sends and when")
struct WebhookMachineTests {
    private static func items(_ numbers: ClosedRange<Int64>, length: Int = 10) -> [WebhookItem] {
        numbers.map {
            WebhookItem(
                number: $0,
                ending: "done",
                job: $0,
                time: nil,
                json: Array("{\"x\":\"\(String(repeating: "x", count: length))\"}".utf8)
            )
        }
    }

    private static func page(
        _ items: [WebhookItem],
        total: Int? = nil,
        oldest: Int64 = 0,
        newest: Int64? = nil
    ) -> FollowedPage<WebhookItem> {
        FollowedPage(
            items: items,
            total: total ?? items.count,
            oldest: oldest,
            newest: newest ?? max(oldest, items.last?.number ?? 0)
        )
    }

    private static func reading(_ page: FollowedPage<WebhookItem>, cursor: Int64 = 0) -> WebhookMachine {
        var machine = WebhookMachine(cursor: cursor)
        machine.reads(page)
        return machine
    }

    private static func types(_ machine: WebhookMachine) throws -> [String?] {
        let body = try #require(Self.request(machine)).body
        let events = try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]
        return (events ?? []).map { $0["type"] as? String }
    }

    private static func request(_ machine: WebhookMachine, now: Double = 0) -> WebhookRequest? {
        if case .send(let request) = machine.next(now: now) { request } else { nil }
    }

    @Test("It reads behind the cursor, sends what is there, and waits when nothing is left")
    func delivers() throws {
        var machine = WebhookMachine(cursor: 4)
        #expect(machine.next(now: 0) == .read(after: 4))
        machine.reads(Self.page(Self.items(5...7)))
        let request = try #require(Self.request(machine))
        #expect(request.id == "msg_1" && request.count == 3 && request.through == 7)
        machine.answered(.taken, now: 0)
        #expect(machine.cursor == 7 && machine.next(now: 0) == .wait(seconds: nil))
        machine.somethingEnded()
        #expect(machine.next(now: 0) == .read(after: 7))
    }

    @Test("A hundred go into one request, less where they are large, and the next follow at once")
    func sizes() throws {
        var machine = Self.reading(Self.page(Self.items(1...100), total: 250))
        #expect(Self.request(machine)?.count == 100)
        machine.answered(.taken, now: 0)
        #expect(machine.next(now: 0) == .read(after: 100))
        #expect(Self.request(Self.reading(Self.page(Self.items(1...9, length: 400_000))))?.count == 2)
        #expect(Self.request(Self.reading(Self.page(Self.items(1...9, length: 4_000_000))))?.count == 1)
    }

    @Test("What isn't taken is sent again as it is: after 1 s, 2 s, up to an hour")
    func again() {
        var machine = Self.reading(Self.page(Self.items(1...3)))
        let request = Self.request(machine)
        var now = 0.0
        var pauses: [Double] = []
        for _ in 0..<14 {
            machine.answered(.failed("no", retryAfter: nil), now: now)
            guard case .wait(let seconds?) = machine.next(now: now) else { break }
            pauses.append(seconds)
            now += seconds
            #expect(Self.request(machine, now: now) == request)
        }
        #expect(pauses.prefix(5) == [1, 2, 4, 8, 16] && pauses.last == 3600 && pauses.count == 14)
        #expect(machine.lastError == "no" && machine.cursor == 0)
        machine.answered(.taken, now: now)
        #expect(machine.lastError == nil)
    }

    @Test(
        "Retry-After comes first, an hour at the most, and more than that is told",
        arguments: [(0.5, 0.5), (7, 7), (3600, 3600), (9e9, 3600), (.infinity, 3600), (-5, 0)]
    )
    func retryAfter(asked: Double, waited: Double) throws {
        var machine = Self.reading(Self.page(Self.items(1...3)))
        let request = try #require(Self.request(machine))
        machine.answered(.failed("no", retryAfter: asked), now: 10)
        #expect(machine.next(now: 10) == (waited > 0 ? .wait(seconds: waited) : .send(request)))
        #expect(machine.lastError?.contains("asked for more than an hour") == (asked > 3600))
    }

    /// Sends what there is of `1...last`, to a receiver that refuses some; what it has accepted, and when that was all.
    private static func deliver(
        _ machine: inout WebhookMachine,
        last: Int64,
        refusing: Set<Int64>,
        tries: Int = 400
    ) -> (accepted: [Int64], leftOut: [Int64], now: Double) {
        var (accepted, leftOut, now): ([Int64], [Int64], Double) = ([], [], 0)
        for _ in 0..<tries {
            switch machine.next(now: now) {
            case .read(let after):
                let items = after < last ? Self.items(after + 1...last) : []
                machine.beginsReading()
                let page = Self.page(Array(items.prefix(100)), total: items.count, newest: last)
                machine.read(page, source: "s", id: "msg_\(after)")
            case .send(let request):
                let range = request.through - Int64(request.count) + 1...request.through
                if refusing.isDisjoint(with: range) {
                    accepted += range
                    machine.answered(.taken, now: now)
                    leftOut += machine.leftOut.map(\.request.through)
                } else {
                    machine.answered(.refused("no"), now: now)
                }
            case .wait(let seconds?): now += seconds
            case .wait(nil): return (accepted, leftOut, now)
            }
        }
        return (accepted, leftOut, now)
    }

    @Test(
        "What is refused for good is found, and left out once a later one was accepted; all others come in order"
    )
    func refused() {
        for refusing in [[3], [1], [3, 4, 5], [2, 120, 121]] as [Set<Int64>] {
            var machine = WebhookMachine(cursor: 0)
            let (accepted, leftOut, now) = Self.deliver(&machine, last: 150, refusing: refusing)
            #expect(accepted == (1...150).filter { !refusing.contains($0) })
            #expect(leftOut == refusing.sorted() && machine.cursor == 150)
            // It was refused for a while, not only once.
            #expect(now >= 15)
        }
    }

    @Test("A receiver that refuses everything, or the last there is, loses nothing by that")
    func refusesAll() {
        var machine = WebhookMachine(cursor: 0)
        let broken = Self.deliver(&machine, last: 150, refusing: Set(1...150), tries: 2000)
        #expect(broken.accepted.isEmpty && broken.leftOut.isEmpty && machine.cursor == 0)
        #expect(machine.keptRequest?.through == 1 && machine.lastError == "no")
        machine.goOn()
        #expect(Self.deliver(&machine, last: 150, refusing: []).accepted == Array(1...150))

        var last = WebhookMachine(cursor: 0)
        #expect(Self.deliver(&last, last: 5, refusing: [5]).accepted == Array(1...4))
        #expect(last.cursor == 4 && last.keptRequest?.through == 5)
        #expect(Self.deliver(&last, last: 6, refusing: [5]).leftOut == [5])
        #expect(last.lastError == "facefetch.job.done of j5 (event 5) was left out: no")
    }

    @Test(
        "What else goes wrong meanwhile proves nothing, and what is kept is the oldest that wasn't accepted"
    )
    func troubleMeanwhile() {
        var machine = WebhookMachine(cursor: 0)
        var now = 0.0
        machine.reads(Self.page(Self.items(1...1), total: 2, newest: 2))
        for _ in 0..<WebhookMachine.patience {
            if case .wait(let seconds?) = machine.next(now: now) { now += seconds }
            machine.answered(.refused("no"), now: now)
        }
        #expect(machine.next(now: now) == .read(after: 1) && machine.keptRequest?.through == 1)
        machine.reads(Self.page(Self.items(2...2), newest: 2))
        #expect(Self.request(machine, now: now)?.through == 2 && machine.keptRequest?.through == 1)
        machine.answered(.failed("away", retryAfter: nil), now: now)
        #expect(machine.leftOut.isEmpty && machine.cursor == 0)
        guard case .wait(let seconds?) = machine.next(now: now) else {
            Issue.record("it doesn't wait")
            return
        }
        #expect(seconds >= 16 && Self.request(machine, now: now + seconds)?.through == 1)
    }

    @Test("410 stops it until somebody has looked, and nothing is lost by that")
    func gone() {
        var machine = Self.reading(Self.page(Self.items(1...3)))
        let request = Self.request(machine)
        machine.answered(.gone, now: 0)
        machine.somethingEnded()
        #expect(machine.next(now: 1e9) == .wait(seconds: nil) && machine.isStopped)
        #expect(machine.status(lag: 3, now: 0).state == .stopped)
        machine.goOn()
        #expect(Self.request(machine) == request)
    }

    @Test("What was forgotten is told as one event, alone where nothing follows")
    func gap() throws {
        let machine = Self.reading(Self.page(Self.items(9...9), oldest: 8), cursor: 3)
        let body = try #require(Self.request(machine)).body
        let events = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
        #expect(events.map { $0["type"] as? String } == ["facefetch.gap", "facefetch.job.done"])
        #expect(events[0]["id"] as? String == "gap-8")
        let alone = Self.reading(Self.page([], oldest: 8), cursor: 3)
        #expect(Self.request(alone)?.through == 8 && Self.request(alone)?.count == 0)
    }

    @Test("What isn't asked for takes the cursor along, so that forgetting it is no gap")
    func noFalseGap() throws {
        var machine = Self.reading(Self.page(Self.items(4...5), newest: 7))
        machine.answered(.taken, now: 0)
        #expect(machine.cursor == 7)
        machine.somethingEnded()
        machine.reads(Self.page([], newest: 5000))
        #expect(machine.cursor == 5000 && machine.next(now: 0) == .wait(seconds: nil))
        machine.somethingEnded()
        machine.reads(Self.page(Self.items(5001...5001), oldest: 5000))
        #expect(try Self.types(machine) == ["facefetch.job.done"])
    }

    @Test("A receiver that is far behind is told of a gap once, and again only of a further one")
    func oneGap() throws {
        var machine = Self.reading(Self.page(Self.items(1...100), total: 900, oldest: 500, newest: 1000))
        #expect(try Self.types(machine).count { $0 == "facefetch.gap" } == 1)
        machine.answered(.taken, now: 0)
        #expect(machine.cursor == 99 && machine.told == 500)
        machine.reads(Self.page(Self.items(100...199), total: 801, oldest: 500, newest: 1000))
        #expect(try Self.types(machine).count { $0 == "facefetch.gap" } == 0)
        machine.answered(.taken, now: 0)
        machine.reads(Self.page(Self.items(200...299), total: 701, oldest: 600, newest: 1000))
        let body = String(decoding: try #require(Self.request(machine)).body, as: UTF8.self)
        #expect(body.contains(#""id":"gap-600""#) && body.contains(#""data":{"after":500,"through":600}"#))
    }

    @Test("What ends while the store is read is read again")
    func endsMeanwhile() {
        var machine = WebhookMachine(cursor: 3)
        machine.beginsReading()
        machine.somethingEnded()
        machine.read(Self.page([], newest: 3), source: "//h/facefetch", id: "msg_1")
        #expect(machine.next(now: 0) == .read(after: 3))
    }

    @Test("A store that can't be read is asked again, and its trouble is over once it can be")
    func unreadableStore() {
        var machine = WebhookMachine(cursor: 3)
        machine.beginsReading()
        machine.readFailed("no", now: 0)
        #expect(machine.next(now: 0) == .wait(seconds: 10) && machine.lastError == "no")
        #expect(machine.next(now: 10) == .read(after: 3))
        machine.reads(Self.page([], newest: 3))
        #expect(machine.lastError == nil && machine.next(now: 10) == .wait(seconds: nil))
    }

    @Test("Where the store is another one, it begins anew with that")
    func otherStore() {
        var machine = WebhookMachine(cursor: 5000, told: 4000)
        machine.reads(Self.page([], newest: 1000))
        #expect(machine.next(now: 0) == .read(after: 0) && machine.told == 0)
    }

    @Test("A receiver whose state was lost is told that everything before may be missing")
    func lost() throws {
        var machine = WebhookMachine(lostBefore: 40, because: "damaged", source: "//h/facefetch", id: "msg_1")
        #expect(try Self.types(machine) == ["facefetch.gap"] && machine.lastError == "damaged")
        machine.answered(.taken, now: 0)
        #expect(machine.cursor == 40 && machine.told == 40 && machine.lastError == nil)
        let empty = WebhookMachine(lostBefore: 0, because: "damaged", source: "//h/facefetch", id: "msg_1")
        #expect(empty.next(now: 0) == .read(after: 0))
    }

    @Test("An event is a CloudEvent with the job as its data")
    func event() throws {
        var item = Self.items(41...41)[0]
        item.time = "2026-11-21T06:45:04.610Z"
        let body = try #require(Self.request(Self.reading(Self.page([item])))).body
        #expect(
            String(decoding: body, as: UTF8.self) == """
                [{"specversion":"1.0","id":"41","source":"//h/facefetch","type":"facefetch.job.done",\
                "time":"2026-11-21T06:45:04.610Z","subject":"j41","datacontenttype":"application/json",\
                "data":{"x":"xxxxxxxxxx"}}]
                """
        )
    }

    @Test("What is kept comes back, the request's bytes included; what is torn doesn't")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.path + "/webhook-\(UUID().uuidString)"
        defer { unlink(path) }
        let file = FollowerFile(path: path)
        func read(
            atMost limit: Int = KeptWebhook.longest
        ) throws(FileFailure) -> FollowerFile.Kept<KeptWebhook> {
            try file.read(atMost: limit, KeptWebhook.init)
        }
        guard case .none = try read() else { throw CocoaError(.fileReadUnknown) }
        var machine = Self.reading(Self.page(Self.items(1...3), oldest: 2, newest: 9))
        try file.write(try #require(KeptWebhook(url: "https://h/?a=b\n", machine: machine).bytes))
        guard case .content(let kept) = try read() else {
            throw CocoaError(.fileReadUnknown)
        }
        #expect(kept.url == "https://h/?a=b\n" && kept.machine.request == machine.request)
        guard case .damaged = try read(atMost: 100) else { throw CocoaError(.fileReadTooLarge) }
        machine.answered(.taken, now: 0)
        try file.write(try #require(KeptWebhook(url: "u", machine: machine).bytes))
        guard case .content(let taken) = try read() else {
            throw CocoaError(.fileReadUnknown)
        }
        #expect(taken.machine.cursor == 9 && taken.machine.told == 2 && taken.machine.request == nil)
        for text in [
            "", "{", "{}\n", #"{"url":"u","cursor":8,"told":0,"stopped":false,"id":"msg_1"}"# + "\n",
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            guard case .damaged = try read() else { throw CocoaError(.fileReadUnknown) }
        }
        unlink(path)
        #expect(symlink("/nowhere", path) == 0)
        #expect(throws: FileFailure.system(ELOOP)) { _ = try read() }
    }

    @Test(
        "A secret is whsec_ and base64 of 24 to 64 bytes",
        arguments: [
            ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true), ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", false),
            ("whsec_", false), ("whsec_AAAA", false), ("whsec_!!", false),
        ]
    )
    func secret(text: String, isOne: Bool) {
        #expect((WebhookSecret(text) != nil) == isOne)
    }

    @Test("The signature is that of Standard Webhooks' own example")
    func signature() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        #expect(
            secret.signature(
                id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
                timestamp: 1_614_265_330,
                body: Array(#"{"test": 2432232314}"#.utf8)
            ) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        )
    }
}

extension WebhookMachine {
    /// Asks for a page, and gets it.
    fileprivate mutating func reads(_ page: FollowedPage<WebhookItem>) {
        beginsReading()
        read(page, source: "//h/facefetch", id: "msg_1")
    }
}
