import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

/// Tests of how batches and sources of one priority share transfers and detectors.
struct FairShareTests {
    private let museum = Flow.source("museum")
    private func batch(_ number: Int64) -> Flow { .batch(BatchID(rawValue: number)) }
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    /// Fetches `count` jobs one after the other, each of the length that `length` says; returns them.
    private func fetch(
        _ count: Int,
        from queue: inout TransferQueue,
        length: (Int64) -> Int64 = { _ in 100_000 }
    ) -> [Int64] {
        var fetched: [Int64] = []
        while fetched.count < count, let job = queue.next() {
            fetched.append(job.rawValue)
            queue.release(job, at: length(job.rawValue))
        }
        return fetched
    }

    private func add(
        _ jobs: ClosedRange<Int64>,
        of flow: Flow,
        priority: Int = 0,
        host: String = "a",
        to queue: inout TransferQueue
    ) {
        for number in jobs { queue.enqueue(job(number), host: host, priority: priority, of: flow) }
    }

    @Test("A batch of five takes turns with a hundred thousand jobs of a source")
    func five() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        add(1...100_000, of: museum, to: &queue)
        #expect(fetch(1000, from: &queue) == Array(1...1000))
        add(200_001...200_005, of: batch(2), to: &queue)
        let next = fetch(11, from: &queue)
        #expect(next.filter { $0 > 200_000 } == Array(200_001...200_005))
        #expect(next.filter { $0 <= 100_000 } == Array(1001...1006))
        #expect(fetch(2, from: &queue) == [1007, 1008], "nothing is owed to anybody")
    }

    @Test("The same where all want one host, whose limit is what keeps them waiting", arguments: [1, 3, 6])
    func oneHost(perHost: Int) {
        var queue = TransferQueue(limits: .init(total: 16, perHost: perHost))
        add(1...10_000, of: museum, to: &queue)
        var active: [JobID] = []
        while let job = queue.next() { active.append(job) }
        #expect(active.count == perHost)
        add(20_001...20_005, of: batch(2), to: &queue)
        var order: [Int64] = []
        for _ in 0..<12 {
            queue.release(active.removeFirst(), at: 100_000)
            while let job = queue.next() {
                active.append(job)
                order.append(job.rawValue)
            }
        }
        #expect(order.filter { $0 > 20_000 } == Array(20_001...20_005))
    }

    @Test("Shares are of bytes: small files come in a row beside large ones")
    func bytes() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        add(1...1000, of: batch(1), to: &queue)
        add(2001...3000, of: batch(2), to: &queue)
        var bytes = [Int64](repeating: 0, count: 2)
        let length = { (job: Int64) -> Int64 in job > 2000 ? 50_000 : 5_000_000 }
        for job in fetch(600, from: &queue, length: length) { bytes[job > 2000 ? 1 : 0] += length(job) }
        // Requests have a cost of their own, about a third of the small files' here.
        let ratio = Double(bytes[1]) / Double(bytes[0])
        #expect(0.6...1.1 ~= ratio, "\(ratio)")
    }

    @Test(
        "Shares go by weight, whatever the size of files",
        arguments: [(1, 1), (2, 1), (1, 3), (10, 1), (1000, 1), (7, 5)]
    )
    func weights(first: Int, second: Int) {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        for number in Int64(1)...4000 {
            queue.enqueue(job(number), host: "a", priority: 0, of: museum, weight: first)
            queue.enqueue(job(10_000 + number), host: "a", priority: 0, of: batch(2), weight: second)
        }
        var bytes = [0.0, 0.0]
        let length = { (job: Int64) -> Int64 in 1_000_000 + job % 7 * 100_000 }
        for job in fetch(2002, from: &queue, length: length) {
            bytes[job > 10_000 ? 1 : 0] += Double(length(job))
        }
        let (ratio, wanted) = (bytes[0] / bytes[1], Double(first) / Double(second))
        #expect(0.95...1.05 ~= ratio / wanted || wanted == 1000 && ratio > 600, "\(ratio), not \(wanted)")
    }

    @Test("A flow's weight is that of the job that has joined it last, from then on")
    func otherWeight() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        add(1...1000, of: batch(1), to: &queue)
        add(2001...3000, of: batch(2), to: &queue)
        #expect(fetch(200, from: &queue).count { $0 > 2000 } == 100)
        queue.enqueue(job(3001), host: "a", priority: 0, of: batch(2), weight: 4)
        let late = fetch(500, from: &queue).count { $0 > 2000 }
        #expect(399...401 ~= late, "\(late)")
    }

    @Test("Priority goes before shares, and each priority has shares of its own")
    func priorities() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        add(1...9, of: batch(1), to: &queue)
        add(11...14, of: batch(1), priority: 5, to: &queue)
        add(21...24, of: batch(2), priority: 5, to: &queue)
        add(31...39, of: batch(2), to: &queue)
        #expect(Set(fetch(8, from: &queue)) == Set([11, 12, 13, 14, 21, 22, 23, 24]))
        // Whatever was fetched at another priority doesn't count here.
        #expect(Set(fetch(4, from: &queue)) == [1, 2, 31, 32])
    }

    @Test("A flow that comes later begins where the others are, and one that ended leaves nothing")
    func late() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        add(1...500, of: batch(1), to: &queue)
        add(1001...1500, of: batch(2), to: &queue)
        _ = fetch(400, from: &queue)
        add(2001...2100, of: batch(3), to: &queue)
        let counts = Dictionary(grouping: fetch(30, from: &queue)) { $0 / 1000 }.mapValues(\.count)
        #expect(counts == [0: 10, 1: 10, 2: 10])
        #expect(queue.flowCount == 3)
        while let job = queue.next() { queue.release(job, at: 1) }
        #expect(queue.flowCount == 0)
    }

    @Test("Whatever is added, moved, removed and fetched, each job is fetched once, as long as any is left")
    func random() {
        var generator = SeededGenerator(seed: 7)
        var queue = TransferQueue(limits: .init(total: 4, perHost: 2))
        var expected: Set<Int64> = []
        var active: [JobID] = []
        var fetched: Set<Int64> = []
        for number in Int64(1)...4000 {
            let flow = batch(Int64.random(in: 1...9, using: &generator))
            let host = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
            queue.enqueue(job(number), host: host, priority: Int(number % 3), of: flow)
            expected.insert(number)
            if let old = expected.randomElement(using: &generator), queue.isQueued(job(old)) {
                if Bool.random(using: &generator) {
                    queue.enqueue(job(old), host: host, priority: 9, of: flow)
                } else {
                    queue.remove(job(old))
                    expected.remove(old)
                }
            }
            guard Bool.random(using: &generator) else { continue }
            while let next = queue.next() {
                active.append(next)
                #expect(fetched.insert(next.rawValue).inserted)
            }
            while active.count > 1 { queue.release(active.removeFirst(), at: Int64.random(in: 0...1 << 40)) }
        }
        repeat {
            for job in active { queue.release(job) }
            active = []
            while let next = queue.next() {
                active.append(next)
                #expect(fetched.insert(next.rawValue).inserted)
            }
        } while !active.isEmpty
        #expect(fetched == expected)
        #expect(queue.flowCount == 0 && queue.queuedCount == 0 && queue.hostCount == 0)
    }

    @Test("Documents are looked at by weight, too")
    func weighedDocuments() {
        var gate = DetectionGate(isOpen: true, capacity: 1)
        for number in Int64(1)...400 {
            gate.enqueue(job(number), priority: 0, of: museum, weight: 3)
            gate.enqueue(job(1000 + number), priority: 0, of: batch(2))
        }
        var ours = 0
        for _ in 0..<400 {
            guard let job = gate.next() else { break }
            if job.rawValue < 1000 { ours += 1 }
            gate.finish(job)
        }
        #expect(299...301 ~= ours, "\(ours)")
    }

    @Test("Documents take turns at the detectors, too, by priority and then by flow")
    func documents() {
        var gate = DetectionGate(isOpen: false, capacity: 1)
        for number in Int64(1)...1000 { gate.enqueue(job(number), priority: 0, of: museum) }
        for number in Int64(2001)...2003 { gate.enqueue(job(number), priority: 0, of: batch(2)) }
        gate.enqueue(job(3001), priority: 7, of: museum)
        gate.move(job(900), priority: 8, of: museum)
        gate.move(job(2003), priority: -1, of: batch(2))
        gate.setOpen(true)
        var order: [Int64] = []
        while let job = gate.next() {
            order.append(job.rawValue)
            gate.finish(job)
        }
        #expect(order.prefix(8) == [900, 3001, 1, 2001, 2, 2002, 3, 4])
        #expect(order.last == 2003)
        #expect(order.count == 1004)
    }
}
