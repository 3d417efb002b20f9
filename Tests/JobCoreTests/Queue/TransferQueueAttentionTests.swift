import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// Tests of who gets a permit while someone looks at jobs, and who gives one up.
struct TransferQueueAttentionTests {
    private let start = Moment(microseconds: 1_795_243_503_000_000)

    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    private func drain(_ queue: inout TransferQueue) -> [Int64] {
        var jobs: [Int64] = []
        while let job = queue.next() { jobs.append(job.rawValue) }
        return jobs
    }

    /// A queue with jobs 1 to `count`, all to one host unless their number is in `elsewhere`.
    private func queue(
        _ count: Int64,
        total: Int,
        perHost: Int = 99,
        elsewhere: Set<Int64> = []
    ) -> TransferQueue {
        var queue = TransferQueue(limits: .init(total: total, perHost: perHost))
        for number in 1...count {
            queue.enqueue(job(number), host: elsewhere.contains(number) ? "b" : "a", priority: 0)
        }
        return queue
    }

    private func look(_ queue: inout TransferQueue, visible: [Int64], near: [Int64] = []) {
        var interests: [JobID: Interest] = [:]
        for number in near { interests[job(number)] = .near }
        for number in visible { interests[job(number)] = .visible }
        let changed = Set(interests.keys).union(queue.interests.keys)
            .filter { interests[$0] != queue.interests[$0] }
        queue.attend(interests, changed: changed)
    }

    @Test("What is in view goes first, then what is near, then the rest, each by priority and age")
    func order() {
        var queue = queue(8, total: 9)
        queue.enqueue(job(9), host: "a", priority: 100)
        queue.enqueue(job(6), host: "a", priority: 5)
        look(&queue, visible: [7, 6, 8], near: [5, 4])
        #expect(drain(&queue) == [6, 7, 8, 4, 5, 9, 1, 2, 3])
    }

    @Test("What is near gets a third of the permits at most ahead of its turn, and the rest in its turn")
    func nearLimit() {
        var queue = queue(12, total: 6)
        look(&queue, visible: [], near: [9, 10, 11, 12])
        #expect(drain(&queue) == [9, 10, 1, 2, 3, 4])
        queue.release(job(1))
        #expect(drain(&queue) == [5])
        queue.release(job(9))
        #expect(drain(&queue) == [11])
    }

    private func drain(_ queue: inout TransferQueue, at now: Moment) -> [Int64] {
        var jobs: [Int64] = []
        while let job = queue.next(now: now) { jobs.append(job.rawValue) }
        return jobs
    }

    @Test("While a file in view comes from a host, only what is near is begun there besides, for a while")
    func yielding() {
        var queue = queue(20, total: 6, elsewhere: [3, 4])
        look(&queue, visible: [18, 19], near: [20, 17, 16])
        #expect(drain(&queue, at: start) == [18, 19, 16, 17, 3, 4])
        queue.release(job(3))
        #expect(drain(&queue, at: start.adding(seconds: 1)) == [])
        #expect(queue.yieldsUntil(now: start.adding(seconds: 1)) == start.adding(seconds: 10))
        // The other one is still on its way.
        queue.release(job(18))
        #expect(drain(&queue, at: start.adding(seconds: 2)) == [])
        queue.release(job(19))
        #expect(drain(&queue, at: start.adding(seconds: 3)) == [1, 2, 5])
        #expect(queue.yieldsUntil(now: start.adding(seconds: 3)) == nil)
    }

    @Test("A file in view that takes long holds nobody up for longer than ten seconds")
    func longYield() {
        var queue = queue(20, total: 4)
        look(&queue, visible: [20])
        #expect(drain(&queue, at: start) == [20])
        #expect(drain(&queue, at: start.adding(seconds: 9.9)) == [])
        #expect(drain(&queue, at: start.adding(seconds: 10)) == [1, 2, 3])
        #expect(queue.yieldsUntil(now: start.adding(seconds: 10)) == nil)
    }

    @Test("Nobody yields to what nobody looks at any more")
    func endOfYield() {
        var queue = queue(20, total: 4)
        look(&queue, visible: [20])
        #expect(drain(&queue, at: start) == [20])
        look(&queue, visible: [])
        #expect(drain(&queue, at: start.adding(seconds: 1)) == [1, 2, 3])
    }

    @Test(
        "Whatever is looked at, removed and released, those that yield go on and none is forgotten",
        arguments: 1...8
    )
    func randomYields(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var queue = TransferQueue(limits: .init(total: 5, perHost: 3))
        var waiting: Set<Int64> = []
        for number in Int64(1)...400 {
            queue.enqueue(job(number), host: ["a", "b"][Int(number % 2)], priority: 0)
            waiting.insert(number)
        }
        var active: [Int64] = []
        var now = start
        while !waiting.isEmpty || !active.isEmpty {
            now = now.adding(seconds: Double.random(in: 0...4, using: &generator))
            let seen = waiting.union(active).shuffled(using: &generator).prefix(3)
            look(&queue, visible: Bool.random(using: &generator) ? Array(seen) : [])
            let removes = Int.random(in: 0...9, using: &generator) == 0
            if removes, let gone = waiting.randomElement(using: &generator) {
                queue.remove(job(gone))
                waiting.remove(gone)
            }
            for next in drain(&queue, at: now) {
                #expect(waiting.remove(next) != nil)
                active.append(next)
            }
            guard !active.isEmpty else {
                // Nobody waits for nothing.
                #expect(waiting.isEmpty)
                break
            }
            let ended = active.remove(at: Int.random(in: 0..<active.count, using: &generator))
            queue.release(job(ended))
        }
        #expect(queue.queuedCount == 0 && queue.activeCount == 0 && queue.hostCount == 0)
    }

    @Test("With fewer than three permits nothing is fetched ahead of its turn for being near")
    func fewPermits() {
        var queue = queue(5, total: 2)
        look(&queue, visible: [], near: [5])
        #expect(drain(&queue) == [1, 2])
    }

    @Test("What comes into the queue while someone looks at it goes first, too")
    func laterArrival() {
        var queue = queue(3, total: 1)
        look(&queue, visible: [7])
        #expect(drain(&queue) == [1])
        queue.enqueue(job(7), host: "a", priority: -100)
        queue.release(job(1))
        #expect(drain(&queue) == [7])
    }

    @Test("What nobody looks at any more has its old place again")
    func lapsed() {
        var queue = queue(4, total: 1)
        look(&queue, visible: [4], near: [3])
        look(&queue, visible: [])
        #expect(drain(&queue) == [1])
    }

    @Test("At a host's limit what is in view waits before the others, and they don't lose their turn")
    func hostLimit() {
        var queue = queue(6, total: 9, perHost: 1, elsewhere: [6])
        #expect(drain(&queue) == [1, 6])
        look(&queue, visible: [5], near: [3])
        var order: [Int64] = []
        for _ in 0..<4 {
            queue.release(job(order.last ?? 1))
            order += drain(&queue)
        }
        #expect(order == [5, 3, 2, 4])
    }

    // MARK: Giving way

    @Test("What is in view takes the place of what would have been fetched last of what nobody looks at")
    func displaces() {
        var queue = queue(6, total: 3)
        queue.enqueue(job(2), host: "a", priority: -1)
        #expect(drain(&queue) == [1, 3, 4])
        #expect(queue.displace(now: start) { _ in true } == nil)
        look(&queue, visible: [6, 3])
        #expect(queue.displace(now: start) { _ in true } == job(4))
        // It is still running, and nobody else has to go for the same job.
        #expect(drain(&queue) == [])
        #expect(queue.displace(now: start.adding(seconds: 1)) { _ in true } == nil)
        queue.release(job(4))
        queue.enqueue(job(4), host: "a", priority: 0)
        #expect(drain(&queue) == [6])
        queue.release(job(6))
        #expect(drain(&queue) == [4])
    }

    @Test("One gives way in 250 ms at most, and the queue says when the next one may")
    func pace() {
        var queue = queue(8, total: 4)
        #expect(drain(&queue) == [1, 2, 3, 4])
        look(&queue, visible: [7, 8])
        #expect(queue.displace(now: start) { _ in true } == job(4))
        let soon = start.adding(seconds: 0.249)
        #expect(queue.displace(now: soon) { _ in true } == nil)
        let then = start.adding(seconds: 0.25)
        #expect(queue.displacesAt(now: soon) == then)
        #expect(queue.displacesAt(now: then) == nil)
        #expect(queue.displace(now: then) { _ in true } == job(3))
        look(&queue, visible: [])
        #expect(queue.displacesAt(now: then) == nil)
    }

    @Test("Who can't go on from where it was stays, and the next one gives way")
    func staying() {
        var queue = queue(4, total: 3)
        #expect(drain(&queue) == [1, 2, 3])
        look(&queue, visible: [4])
        #expect(queue.displace(now: start) { $0 == job(2) } == job(2))
        #expect(queue.displace(now: start.adding(seconds: 1)) { _ in true } == nil)
    }

    @Test("Where the host is at its limit, only another of that host gives way; with permits left, nobody")
    func hosts() {
        var queue = queue(6, total: 4, perHost: 2, elsewhere: [5, 6])
        #expect(drain(&queue) == [1, 2, 5, 6])
        look(&queue, visible: [3])
        #expect(queue.displace(now: start) { _ in true } == job(2))
        var roomy = self.queue(3, total: 9)
        look(&roomy, visible: [3])
        #expect(roomy.displace(now: start) { _ in true } == nil)
    }

    @Test("What was fetched for being near, and is no longer, gives way first, also to what is near")
    func lapsedPrefetch() {
        var queue = queue(12, total: 6)
        look(&queue, visible: [], near: [8, 9])
        #expect(drain(&queue) == [8, 9, 1, 2, 3, 4])
        look(&queue, visible: [], near: [11, 12])
        #expect(queue.displace(now: start) { _ in true } == job(9))
        let later = start.adding(seconds: 1)
        #expect(queue.displace(now: later) { _ in true } == job(8))
        queue.release(job(9))
        queue.release(job(8))
        #expect(drain(&queue) == [11, 12])
        // Nothing else gives way to what is only near.
        look(&queue, visible: [], near: [11, 12, 10])
        #expect(queue.displace(now: later.adding(seconds: 1)) { _ in true } == nil)
        look(&queue, visible: [10], near: [])
        #expect(queue.displace(now: later.adding(seconds: 2)) { _ in true } == job(12))
    }

    @Test("Looking here and there leaves no more behind than there is")
    func bounded() {
        var queue = queue(2000, total: 3)
        for round in 0..<2000 as Range<Int64> {
            let first = 1 + round % 1500
            look(&queue, visible: Array(first..<first + 100), near: Array(first + 100..<first + 400))
        }
        #expect(queue.entryCount <= 2000 * 2 + 1024)
        #expect(queue.attended.count == 400)
    }

    @Test("What a seeded walk is given agrees with the order told by a list", arguments: 1...8)
    func walk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = TransferQueue(limits: .init(total: 6, perHost: 3))
        var waiting: [Int64: (host: Int, priority: Int)] = [:]
        var running: [Int64: (host: Int, isPrefetch: Bool)] = [:]
        for _ in 0..<3000 {
            let number = Int64.random(in: 1...60, using: &generator)
            let (host, priority) = (
                Int.random(in: 0...3, using: &generator), Int.random(in: -2...2, using: &generator)
            )
            switch Int.random(in: 0...4, using: &generator) {
            case 0, 1:
                queue.enqueue(job(number), host: "\(host)", priority: priority)
                if running[number] == nil { waiting[number] = (host, priority) }
            case 2:
                queue.remove(job(number))
                waiting[number] = nil
            case 3:
                let all = (1...60 as ClosedRange<Int64>).shuffled(using: &generator)
                look(&queue, visible: Array(all.prefix(4)), near: Array(all.dropFirst(4).prefix(8)))
            default:
                queue.release(job(number))
                running[number] = nil
            }
            let interests = queue.interests
            while true {
                let prefetches = running.count { $0.value.isPrefetch && interests[job($0.key)] == .near }
                func rank(_ number: Int64) -> Int {
                    switch interests[job(number)] {
                    case .visible: 0
                    case .near: prefetches < 2 ? 1 : 2
                    case nil: 2
                    }
                }
                let fits = waiting.filter { entry in
                    running.values.count { $0.host == entry.value.host } < 3
                }
                let best = fits.min {
                    (rank($0.key), $1.value.priority, $0.key) < (rank($1.key), $0.value.priority, $1.key)
                }
                let expected = running.count < 6 ? best : nil
                let given = queue.next()
                #expect(given?.rawValue == expected?.key)
                guard let given = given?.rawValue, let place = waiting.removeValue(forKey: given) else {
                    break
                }
                running[given] = (place.host, rank(given) == 1)
            }
        }
    }
}
