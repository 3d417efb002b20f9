import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// Jobs that are queued as lists: no differently from one after the other, but for what that costs.
struct ListedJobTests {
    private let flow = Flow.batch(BatchID(rawValue: 1))
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    @Test("Transfers go on as if each job had been queued by itself", arguments: 1...10)
    func transfers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limits = TransferQueue.Limits(total: 5, perHost: 2)
        var (listed, single) = (TransferQueue(limits: limits), TransferQueue(limits: limits))
        var active: [JobID] = []
        var interests: [JobID: Interest] = [:]
        for _ in 0..<1500 {
            let number = Int64.random(in: 1...300, using: &generator)
            switch Int.random(in: 0...5, using: &generator) {
            case 0:
                let last = number + Int64.random(in: 0...40, using: &generator)
                let host = "\(Int.random(in: 0...3, using: &generator))"
                let priority = Int.random(in: 0...1, using: &generator)
                let flow = Flow.batch(BatchID(rawValue: Int64.random(in: 1...2, using: &generator)))
                listed.enqueue(job(number)...job(last), host: host, priority: priority, of: flow)
                for number in number...last {
                    single.enqueue(job(number), host: host, priority: priority, of: flow)
                }
            case 1:
                listed.remove(job(number))
                single.remove(job(number))
            case 2:
                let changed = [job(number), job(number + 7)]
                for job in changed {
                    interests[job] =
                        interests[job] == nil ? [.visible, .near].randomElement(using: &generator) : nil
                }
                listed.attend(interests, changed: Set(changed))
                single.attend(interests, changed: Set(changed))
            case 3:
                let limits = TransferQueue.Limits(total: Int.random(in: 1...6, using: &generator), perHost: 2)
                listed.setLimits(limits)
                single.setLimits(limits)
            default:
                guard !active.isEmpty else { continue }
                let ended = active.remove(at: Int.random(in: 0..<active.count, using: &generator))
                listed.release(ended, at: 1000)
                single.release(ended, at: 1000)
            }
            while true {
                let next = listed.next()
                #expect(next == single.next())
                guard let next else { break }
                active.append(next)
            }
            #expect(listed.queuedCount == single.queuedCount)
        }
        #expect(listed.entryCount <= single.entryCount + 64)
    }

    @Test("A hundred thousand jobs of a busy host take no more places than a few, and step aside together")
    func places() {
        var queue = TransferQueue(limits: .init(total: 16, perHost: 2))
        queue.enqueue(job(1)...job(100_000), host: "a", priority: 0, of: flow)
        queue.enqueue(job(100_001)...job(100_003), host: "b", priority: 0, of: flow)
        var order: [Int64] = []
        while let next = queue.next() { order.append(next.rawValue) }
        #expect(order == [1, 2, 100_001, 100_002])
        #expect(queue.entryCount < 10)
        for number in 3...50_000 as ClosedRange<Int64> { queue.remove(job(number)) }
        queue.release(job(1))
        #expect(queue.next() == job(50_001))
        #expect(queue.entryCount < 60_000)
    }

    @Test("Documents go on as if each had been put into the gate by itself", arguments: 1...10)
    func documents(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (listed, single) = (
            DetectionGate(isOpen: true, capacity: 3), DetectionGate(isOpen: true, capacity: 3)
        )
        var active: [JobID] = []
        for _ in 0..<1500 {
            let number = Int64.random(in: 1...300, using: &generator)
            switch Int.random(in: 0...4, using: &generator) {
            case 0:
                let last = number + Int64.random(in: 0...20, using: &generator)
                // None for some, and few enough for twins.
                let marks = (number...last).map { _ -> DetectionGate.Mark? in
                    let mark = DetectionGate.Mark.random(in: 0...4, using: &generator)
                    return mark == 0 ? nil : mark
                }
                let priority = Int.random(in: 0...1, using: &generator)
                listed.enqueue(job(number)...job(last), marks: marks, priority: priority, of: flow)
                for (number, mark) in zip(number...last, marks) {
                    single.enqueue(job(number), mark: mark, priority: priority, of: flow)
                }
            case 1:
                active.removeAll { $0 == job(number) }
                listed.remove(job(number))
                single.remove(job(number))
            case 2:
                let interests: [JobID: Interest] = [job(number): .visible, job(number + 3): .near]
                listed.attend(interests)
                single.attend(interests)
            default:
                guard !active.isEmpty else { continue }
                let ended = active.remove(at: Int.random(in: 0..<active.count, using: &generator))
                listed.finish(ended)
                single.finish(ended)
            }
            while true {
                let next = listed.next()
                #expect(next == single.next())
                guard let next else { break }
                active.append(next)
            }
            #expect(listed.waitingCount == single.waitingCount)
        }
    }
}
