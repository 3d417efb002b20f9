import JobCore
import Testing

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
}
