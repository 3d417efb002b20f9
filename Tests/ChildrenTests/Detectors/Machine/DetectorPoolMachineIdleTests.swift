import JobModel
import Testing

@testable import Children

@Suite("A detector pool machine with little to do") struct DetectorPoolMachineIdleTests {
    private typealias Machine = DetectorPoolMachine

    private func request(_ job: Int64) -> DetectionRequest { .numbered(job) }

    @Test("Before the first picture there is no process, and nothing to wait for")
    func noneAtStart() {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        #expect(machine.nextDeadline == nil)
        #expect(machine.advance(now: .seconds(1000)) == [])
        #expect(machine.status == DetectorPoolStatus())
    }

    @Test("A process is started for each picture that waits, up to the number of workers")
    func asManyAsNeeded() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        let first = try #require(machine.submit(request(1), now: .zero).started.first)
        #expect(machine.advance(now: .seconds(1)) == [])
        let second = try #require(machine.submit(request(2), now: .seconds(1)).started.first)
        #expect(machine.submit(request(3), now: .seconds(1)) == [])
        #expect([first, second].map(\.place) == [0, 1])
        #expect(machine.status.starting == 2)
    }

    @Test("A picture for which a process is ready starts no other")
    func readyIsEnough() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        let process = try #require(machine.submit(request(1), now: .zero).started.first)
        #expect(machine.greeted(process, now: .zero) == [.send(process, request(1))])
        _ = machine.answered(process, job: request(1).job, took: .zero, now: .zero)
        #expect(machine.submit(request(2), now: .seconds(1)) == [.send(process, request(2))])
        #expect(machine.status.started == 1)
    }

    @Test("Thirty seconds after its last picture a process ends, and not sooner")
    func ends() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .seconds(20))
        _ = machine.answered(processes[0], job: request(1).job, took: .seconds(1), now: .seconds(21))
        #expect(machine.nextDeadline == .seconds(51))
        #expect(machine.advance(now: .milliseconds(50_999)) == [])
        #expect(machine.status.idle == 1)
        #expect(machine.advance(now: .seconds(51)) == [.finish(processes[0])])
        #expect(machine.status.ending == 1)
        #expect(machine.ended(processes[0], now: .seconds(51)) == [])
        // No process, no back-off, nothing to wake up for.
        #expect(machine.nextDeadline == nil)
        #expect(machine.advance(now: .seconds(1000)) == [])
        #expect(machine.status.started == 1)
    }

    @Test("A process that never got a picture ends as well")
    func neverUsed() throws {
        var (machine, processes) = try Machine.ready(workers: 2)
        #expect(machine.nextDeadline == .seconds(30))
        #expect(machine.advance(now: .seconds(30)) == [.finish(processes[0]), .finish(processes[1])])
    }

    @Test("A picture meanwhile keeps its process, and only that one")
    func kept() throws {
        var (machine, processes) = try Machine.ready(workers: 2)
        #expect(machine.submit(request(1), now: .seconds(29)) == [.send(processes[0], request(1))])
        #expect(machine.advance(now: .seconds(30)) == [.finish(processes[1])])
        _ = machine.answered(processes[0], job: request(1).job, took: .seconds(2), now: .seconds(31))
        _ = machine.ended(processes[1], now: .seconds(31))
        #expect(machine.nextDeadline == .seconds(61))
        #expect(machine.submit(request(2), now: .seconds(60)) == [.send(processes[0], request(2))])
        #expect(machine.nextDeadline == .seconds(120))
    }

    @Test("The next picture starts a new process at once, however often that happens: an end is no crash")
    func startsAnew() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 1))
        var now = Duration.zero
        for number in Int64(1)...20 {
            let process = try #require(machine.submit(request(number), now: now).started.first)
            #expect(machine.greeted(process, now: now) == [.send(process, request(number))])
            #expect(
                machine.answered(process, job: request(number).job, took: .zero, now: now)
                    == [.deliver(request(number))]
            )
            now = try #require(machine.nextDeadline)
            #expect(machine.advance(now: now) == [.finish(process)])
            #expect(machine.ended(process, now: now) == [])
        }
        #expect(machine.status.started == 20)
    }

    @Test("A picture that comes while the process ends waits for the next process, and loses no try")
    func comesMeanwhile() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.advance(now: .seconds(30))
        #expect(machine.submit(request(1), now: .seconds(30)) == [])
        let next = try #require(machine.ended(processes[0], now: .seconds(31)).started.first)
        #expect(machine.greeted(next, now: .seconds(31)) == [.send(next, request(1))])
        // Its first death is not the one before it, which was none.
        _ = machine.submit(request(2), now: .seconds(32))
        #expect(machine.ended(next, now: .seconds(32)).started.count == 1)
    }

    @Test("A process that is told to end and doesn't is stopped, which is no crash either")
    func doesNotEnd() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.advance(now: .seconds(30))
        _ = machine.submit(request(1), now: .seconds(30))
        #expect(machine.nextDeadline == .seconds(35))
        #expect(machine.advance(now: .seconds(35)) == [.kill(processes[0])])
        #expect(machine.ended(processes[0], now: .seconds(35)).started.count == 1)
    }

    @Test("A process that talks while it is to end is stopped at once")
    func talksAtEnd() throws {
        var (machine, processes) = try Machine.ready(workers: 2)
        _ = machine.advance(now: .seconds(30))
        #expect(machine.misbehaved(processes[0]) == [.kill(processes[0])])
        #expect(
            machine.answered(processes[1], job: request(1).job, took: .zero, now: .seconds(31))
                == [.kill(processes[1])]
        )
        #expect(machine.ended(processes[0], now: .seconds(31)) == [])
        #expect(machine.submit(request(1), now: .seconds(31)).started.map(\.place) == [0])
    }

    @Test("A process that dies with nothing to do isn't replaced before it is needed")
    func diesIdle() throws {
        var (machine, processes) = try Machine.ready()
        #expect(machine.ended(processes[0], now: .seconds(1)) == [])
        #expect(machine.nextDeadline == nil)
        #expect(machine.submit(request(1), now: .seconds(1)).started.count == 1)
    }

    @Test("Where one place has to wait after deaths, another takes the picture")
    func anotherPlace() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        let first = try #require(machine.submit(request(1), now: .zero).started.first)
        let again = try #require(machine.ended(first, now: .zero).started.first)
        #expect(again.place == 0)
        let other = try #require(machine.ended(again, now: .zero).started.first)
        #expect(other.place == 1)
        #expect(machine.greeted(other, now: .zero) == [.send(other, request(1))])
        // The first place would be free, but nobody needs it.
        #expect(machine.advance(now: .seconds(1)) == [])
        #expect(machine.nextDeadline == .seconds(60))
    }

    @Test("When the process that a picture waits for can't start, another place is tried at once")
    func slowStart() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        let first = try #require(machine.submit(request(1), now: .zero).started.first)
        let actions = machine.advance(now: .seconds(30))
        let other = try #require(actions.started.first)
        #expect(actions == [.kill(first), .start(other)])
        #expect(other.place == 1)
    }
}
