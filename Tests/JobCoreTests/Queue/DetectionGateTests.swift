import JobCore
import JobModel
import Testing
import Vocabulary

struct DetectionGateTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    @Test("Documents are taken in the order of their arrival, as many as there are detectors")
    func order() {
        var gate = DetectionGate(isOpen: true, capacity: 2)
        for number in 1...3 { gate.enqueue(job(Int64(number))) }
        #expect(gate.next() == job(1))
        #expect(gate.next() == job(2))
        #expect(gate.next() == nil)
        gate.finish(job(1))
        #expect(gate.next() == job(3))
    }

    @Test("While the gate is held nothing is taken; then they go in order")
    func held() {
        var gate = DetectionGate(isOpen: false, capacity: 9)
        for number in 1...3 { gate.enqueue(job(Int64(number))) }
        #expect(gate.next() == nil)
        #expect(gate.waitingCount == 3)
        gate.setOpen(true)
        #expect([gate.next(), gate.next(), gate.next()] == [job(1), job(2), job(3)])
    }

    @Test("A document that is to be looked at alone waits for the others, and they for it")
    func alone() {
        var gate = DetectionGate(isOpen: true, capacity: 3)
        gate.enqueue(job(1))
        gate.enqueue(job(2), alone: true)
        gate.enqueue(job(3))
        gate.enqueue(job(4), alone: true)
        gate.enqueue(job(5))
        #expect(gate.next() == job(1))
        #expect(gate.next() == nil)
        gate.finish(job(1))
        #expect(gate.next() == job(2))
        #expect(gate.next() == nil)
        gate.finish(job(2))
        #expect(gate.next() == job(3))
        #expect(gate.next() == nil)
        // Taken out while it is the next: nobody waits for it.
        gate.remove(job(4))
        #expect(gate.next() == job(5))
        gate.finish(job(5))
        // Once is enough: it comes again as any other.
        gate.enqueue(job(2))
        #expect(gate.next() == job(2))
        #expect(gate.activeCount == 2)
    }

    @Test("What is being looked at goes on when the gate is held")
    func heldWhileActive() {
        var gate = DetectionGate(isOpen: true, capacity: 1)
        gate.enqueue(job(1))
        #expect(gate.next() == job(1))
        gate.setOpen(false)
        #expect(gate.activeCount == 1)
        gate.finish(job(1))
        #expect(gate.activeCount == 0)
    }

    @Test("A document that was taken out is passed over, and one that was put in twice is taken once")
    func removal() {
        var gate = DetectionGate(isOpen: true, capacity: 9)
        for number in [1, 2, 2, 3] { gate.enqueue(job(Int64(number))) }
        gate.remove(job(1))
        #expect([gate.next(), gate.next(), gate.next()] == [job(2), job(3), nil])
        gate.enqueue(job(2))
        #expect(gate.waitingCount == 0)
    }

    @Test("Thousands pass without the line growing for ever")
    func many() {
        var gate = DetectionGate(isOpen: true, capacity: 1)
        for number in 1...5000 { gate.enqueue(job(Int64(number))) }
        for number in 1...5000 {
            #expect(gate.next() == job(Int64(number)))
            gate.finish(job(Int64(number)))
        }
        #expect(gate.next() == nil)
    }

    @Test("Documents of one content wait for the first of them, and are next, in order, when it is through")
    func twins() {
        var gate = DetectionGate(isOpen: true, capacity: 3)
        for number in 1...3 { gate.enqueue(job(Int64(number)), mark: 7) }
        for number in 4...6 { gate.enqueue(job(Int64(number)), mark: UInt32(number)) }
        #expect([gate.next(), gate.next(), gate.next()] == [job(1), job(4), job(5)])
        #expect(gate.waitingCount == 3)
        gate.finish(job(1))
        #expect(gate.next() == job(2))
        gate.finish(job(2))
        #expect(gate.next() == job(3))
        gate.finish(job(4))
        #expect(gate.next() == job(6))
        #expect(gate.next() == nil)
    }

    @Test("A document that is to be looked at whatever is known waits for nobody")
    func noMark() {
        var gate = DetectionGate(isOpen: true, capacity: 3)
        gate.enqueue(job(1), mark: 7)
        gate.enqueue(job(2))
        gate.enqueue(job(3))
        #expect([gate.next(), gate.next(), gate.next()] == [job(1), job(2), job(3)])
    }

    @Test("Where the first of one content is taken out, the next of them is looked at")
    func twinRemoved() {
        var gate = DetectionGate(isOpen: true, capacity: 2)
        for number in 1...3 { gate.enqueue(job(Int64(number)), mark: 7) }
        #expect(gate.next() == job(1))
        #expect(gate.next() == nil)
        gate.remove(job(2))
        gate.remove(job(1))
        #expect(gate.next() == job(3))
        // Put in again, it waits again.
        gate.enqueue(job(2), mark: 7)
        #expect(gate.next() == nil)
        gate.finish(job(3))
        #expect(gate.next() == job(2))
        #expect(gate.next() == nil)
    }

    @Test("Very many documents of one content cost no more than they are", arguments: [1, 2])
    func manyTwins(capacity: Int) {
        var gate = DetectionGate(isOpen: true, capacity: capacity)
        let count = 100_000
        for number in 1...count { gate.enqueue(job(Int64(number)), mark: 7) }
        var order: [Int64] = []
        while let next = gate.next() {
            #expect(gate.next() == nil)
            order.append(next.rawValue)
            gate.finish(next)
        }
        #expect(order.count == count && order == order.sorted())
    }

    @Test("Of what waited for results, those of the result that came first go first, each content in order")
    func twinsOfTwo() {
        var gate = DetectionGate(isOpen: true, capacity: 3)
        for number in 1...8 { gate.enqueue(job(Int64(number)), mark: UInt32(number % 2)) }
        #expect([gate.next(), gate.next(), gate.next()] == [job(1), job(2), nil])
        gate.finish(job(2))
        #expect(gate.following(9) == [])
        #expect(gate.next() == job(4))
        #expect(gate.following(9) == [job(6), job(8)])
        gate.finish(job(1))
        // The others of its content wait for the fourth.
        #expect(gate.next() == job(3))
        gate.finish(job(3))
        gate.remove(job(5))
        #expect(gate.next() == job(7))
        gate.finish(job(4))
        gate.finish(job(7))
        #expect([gate.next(), gate.next()] == [job(6), nil])
        gate.finish(job(6))
        #expect([gate.next(), gate.next()] == [job(8), nil])
    }

    @Test("What people look at goes first: what is in view, then what is near, then the rest in order")
    func attended() {
        var gate = DetectionGate(isOpen: true, capacity: 9)
        for number in 1...4 { gate.enqueue(job(Int64(number))) }
        gate.attend([job(3): .near, job(4): .visible, job(6): .visible])
        gate.enqueue(job(5))
        gate.enqueue(job(6))
        #expect((1...6).map { _ in gate.next() } == [job(4), job(6), job(3), job(1), job(2), job(5)])
        #expect(gate.next() == nil && gate.waitingCount == 0)
    }

    @Test("What nobody looks at any more has its old place, and none is looked at twice")
    func noLongerAttended() {
        var gate = DetectionGate(isOpen: true, capacity: 1)
        for number in 1...4 { gate.enqueue(job(Int64(number)), mark: UInt32(number % 2)) }
        gate.attend([job(4): .visible])
        gate.attend([job(3): .visible])
        #expect(gate.next() == job(3))
        gate.attend([job(1): .visible, job(3): .visible])
        gate.finish(job(3))
        #expect(gate.next() == job(1))
        gate.attend([:])
        gate.finish(job(1))
        #expect(gate.next() == job(2))
        gate.finish(job(2))
        gate.remove(job(4))
        #expect(gate.next() == nil && gate.waitingCount == 0)
    }

    @Test("A document to be looked at alone waits, also if people look at it, and holds up the others")
    func attendedAlone() {
        var gate = DetectionGate(isOpen: true, capacity: 2)
        gate.enqueue(job(1))
        #expect(gate.next() == job(1))
        gate.enqueue(job(2), alone: true)
        gate.enqueue(job(3))
        gate.attend([job(2): .visible])
        #expect(gate.next() == nil)
        gate.attend([job(2): .visible, job(3): .visible])
        #expect(gate.next() == nil)
        gate.finish(job(1))
        #expect(gate.next() == job(2))
        #expect(gate.next() == nil)
        gate.finish(job(2))
        #expect(gate.next() == job(3))
    }

    @Test("A held gate stays held, whoever looks")
    func attendedWhileHeld() {
        var gate = DetectionGate(isOpen: false, capacity: 1)
        gate.enqueue(job(1))
        gate.attend([job(1): .visible])
        #expect(gate.next() == nil)
    }
}
