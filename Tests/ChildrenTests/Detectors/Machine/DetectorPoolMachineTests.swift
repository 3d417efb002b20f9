import JobModel
import Testing
import Vocabulary

@testable import Children

@Suite struct DetectorPoolMachineTests {
    private typealias Machine = DetectorPoolMachine

    private func request(_ job: Int64) -> DetectionRequest { .numbered(job) }

    private func job(_ job: Int64) -> JobID { JobID(rawValue: job) }

    @Test("Nothing is sent to a process before it is ready")
    func start() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        let first = try #require(machine.submit(request(1), now: .zero).started.first)
        let second = try #require(machine.submit(request(2), now: .zero).started.first)
        #expect(machine.advance(now: .zero) == [])
        #expect(machine.greeted(second, now: .seconds(1)) == [.send(second, request(1))])
        #expect(machine.greeted(first, now: .seconds(1)) == [.send(first, request(2))])
    }

    @Test("Each process has one picture at a time; the others wait in order")
    func order() throws {
        var (machine, processes) = try Machine.ready(workers: 2)
        #expect(machine.submit(request(1), now: .zero) == [.send(processes[0], request(1))])
        #expect(machine.submit(request(2), now: .zero) == [.send(processes[1], request(2))])
        #expect(machine.submit(request(3), now: .zero) == [])
        #expect(machine.submit(request(4), now: .zero) == [])
        #expect(machine.waiting == 2)
        #expect(
            machine.answered(processes[1], job: job(2), took: .zero, now: .zero)
                == [.deliver(request(2)), .send(processes[1], request(3))]
        )
        #expect(
            machine.answered(processes[0], job: job(1), took: .zero, now: .zero)
                == [.deliver(request(1)), .send(processes[0], request(4))]
        )
        #expect(machine.waiting == 0)
    }

    @Test("A picture whose process dies is told of at once, and the next one is served by another process")
    func crashed() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        let actions = machine.ended(processes[0], now: .seconds(5))
        let next = try #require(actions.started.first)
        #expect(actions == [.report(request(1), .crashed), .start(next)])
        #expect(next != processes[0])
        #expect(machine.greeted(next, now: .seconds(6)) == [.send(next, request(2))])
        #expect(machine.ended(next, now: .seconds(6)) == [.report(request(2), .crashed)])
        // Two deaths in a row: the third process comes after a moment.
        #expect(machine.submit(request(3), now: .seconds(6)) == [])
        #expect(machine.nextDeadline == .milliseconds(6100))
        #expect(machine.advance(now: .milliseconds(6099)) == [])
        let third = try #require(machine.advance(now: .milliseconds(6100)).started.first)
        #expect(machine.greeted(third, now: .seconds(7)) == [.send(third, request(3))])
        #expect(
            machine.answered(third, job: job(3), took: .zero, now: .seconds(7)) == [.deliver(request(3))]
        )
    }

    @Test("A picture that takes longer than allowed has timed out, and isn't tried again")
    func timedOut() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .seconds(1))
        #expect(machine.nextDeadline == .seconds(61))
        #expect(machine.advance(now: .milliseconds(60_999)) == [])
        #expect(machine.advance(now: .seconds(61)) == [.kill(processes[0]), .report(request(1), .timedOut)])
        #expect(machine.nextDeadline == nil)
        // Its answer came too late.
        #expect(machine.answered(processes[0], job: job(1), took: .zero, now: .seconds(61)) == [])
        // Its end is no death: the next process is started at once.
        #expect(machine.submit(request(2), now: .seconds(61)) == [])
        #expect(machine.ended(processes[0], now: .seconds(61)).started.count == 1)
    }

    @Test("A process is replaced after so many pictures, and the next picture waits for the new one")
    func recycled() throws {
        var (machine, processes) = try Machine.ready(recycleAfter: 2)
        for number in 1...3 { _ = machine.submit(request(Int64(number)), now: .zero) }
        _ = machine.answered(processes[0], job: job(1), took: .zero, now: .zero)
        #expect(
            machine.answered(processes[0], job: job(2), took: .zero, now: .zero)
                == [.deliver(request(2)), .kill(processes[0])]
        )
        let next = try #require(machine.ended(processes[0], now: .zero).started.first)
        #expect(machine.greeted(next, now: .zero) == [.send(next, request(3))])
    }

    @Test("A process is replaced after so much work, before it meets its limit of CPU time")
    func worn() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        _ = machine.answered(processes[0], job: job(1), took: .seconds(1199), now: .zero)
        #expect(
            machine.answered(processes[0], job: job(2), took: .seconds(1), now: .zero)
                == [.deliver(request(2)), .kill(processes[0])]
        )
    }

    @Test("Processes that keep dying before they are ready are started ever more slowly, up to 30 s")
    func backOff() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 1))
        var next = machine.submit(request(1), now: .zero).started.first
        var now = Duration.zero
        var delays: [Duration] = []
        for _ in 0..<12 {
            let process = try #require(next)
            let actions = machine.ended(process, now: now)
            if let early = actions.started.first {
                // The first death: at once.
                delays.append(.zero)
                #expect(machine.ended(early, now: now) == [])
            }
            let deadline = try #require(machine.nextDeadline)
            delays.append(deadline - now)
            now = deadline
            next = machine.advance(now: now).started.first
        }
        #expect(
            delays.prefix(5) == [
                .zero, .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800),
            ]
        )
        #expect(delays.last == .seconds(30))
        // The picture has paid for none of it.
        let process = try #require(next)
        #expect(machine.greeted(process, now: now) == [.send(process, request(1))])
        #expect(machine.answered(process, job: job(1), took: .zero, now: now) == [.deliver(request(1))])
        // An answer ends the row of deaths.
        #expect(machine.submit(request(2), now: now) == [.send(process, request(2))])
        _ = machine.submit(request(3), now: now)
        #expect(machine.ended(process, now: now).started.count == 1)
    }

    @Test("A process that lacks something costs its picture nothing: both wait, others go first")
    func lacking() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        var now = Duration.seconds(1)
        let second = try #require(machine.ended(processes[0], lacked: true, now: now).started.first)
        #expect(machine.greeted(second, now: now) == [.send(second, request(2))])
        #expect(machine.answered(second, job: job(2), took: .zero, now: now).contains(.deliver(request(2))))
        // However often it happens, ever more slowly, up to 30 s.
        var process = second
        for _ in 0..<100 {
            var next = machine.ended(process, lacked: true, now: now).started
            #expect(machine.waiting == 1)
            if next.isEmpty {
                let deadline = try #require(machine.nextDeadline)
                #expect(deadline - now <= .seconds(30))
                now = deadline
                next = machine.advance(now: now).started
            }
            process = try #require(next.first)
            #expect(machine.greeted(process, now: now) == [.send(process, request(1))])
        }
        #expect(now > .seconds(60))
        #expect(machine.answered(process, job: job(1), took: .zero, now: now) == [.deliver(request(1))])
        // A picture that nobody wants any more doesn't wait; nor is a lack anything before a greeting.
        #expect(machine.submit(request(3), now: now) == [.send(process, request(3))])
        #expect(machine.withdraw(job(3)) == [.kill(process)])
        #expect(machine.ended(process, lacked: true, now: now) == [])
        #expect(machine.waiting == 0)
    }

    @Test("A run of pictures that kill costs the others at most a second each")
    func killers() throws {
        var (machine, processes) = try Machine.ready()
        var process = processes[0]
        var now = Duration.zero
        for number in Int64(1)...41 { _ = machine.submit(request(number), now: now) }
        for number in Int64(1)...40 {
            let actions = machine.ended(process, now: now)
            #expect(actions.contains(.report(request(number), .crashed)))
            let next = machine.nextDeadline ?? now
            if actions.started.isEmpty { #expect(next - now <= .seconds(1)) }
            let again = actions.started.first ?? machine.advance(now: next).started.first
            now = max(now, actions.started.isEmpty ? next : now)
            process = try #require(again)
            _ = machine.greeted(process, now: now)
        }
    }

    @Test(
        "A process that doesn't become ready is stopped, and the picture that waits for it has lost nothing"
    )
    func slowStart() throws {
        var machine = Machine(limits: DetectorPoolLimits(workers: 1))
        let first = try #require(machine.submit(request(1), now: .zero).started.first)
        #expect(machine.nextDeadline == .seconds(30))
        #expect(machine.advance(now: .seconds(30)) == [.kill(first)])
        #expect(machine.greeted(first, now: .seconds(30)) == [])
        let second = try #require(machine.ended(first, now: .seconds(30)).started.first)
        #expect(machine.greeted(second, now: .seconds(31)) == [.send(second, request(1))])
    }

    @Test("A broken protocol stops the process; over a picture, that is told when the process has gone")
    func misbehaved() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .zero)
        #expect(machine.misbehaved(processes[0]) == [.kill(processes[0])])
        #expect(machine.misbehaved(processes[0]) == [])
        #expect(machine.ended(processes[0], now: .zero) == [.report(request(1), .crashed)])
        // With nothing to look at it is nobody's.
        let second = try #require(machine.submit(request(2), now: .zero).started.first)
        _ = machine.withdraw(job(2))
        #expect(machine.greeted(second, now: .zero) == [])
        #expect(machine.misbehaved(second) == [.kill(second)])
        #expect(machine.ended(second, now: .zero) == [])
    }

    @Test("Answers that nobody asked for, and second greetings, break the protocol")
    func unasked() throws {
        var (machine, processes) = try Machine.ready(workers: 3)
        #expect(machine.answered(processes[0], job: job(1), took: .zero, now: .zero) == [.kill(processes[0])])
        #expect(machine.greeted(processes[1], now: .zero) == [.kill(processes[1])])
        _ = machine.submit(request(1), now: .zero)
        #expect(machine.answered(processes[2], job: job(2), took: .zero, now: .zero) == [.kill(processes[2])])
        var young = Machine(limits: DetectorPoolLimits(workers: 1))
        let process = try #require(young.submit(request(3), now: .zero).started.first)
        #expect(young.answered(process, job: job(1), took: .zero, now: .zero) == [.kill(process)])
        #expect(young.misbehaved(process) == [])
    }

    @Test("A withdrawn document is forgotten wherever it is")
    func withdrawn() throws {
        var (machine, processes) = try Machine.ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        // In the queue.
        #expect(machine.withdraw(job(2)) == [])
        #expect(machine.waiting == 0)
        // Being looked at.
        #expect(machine.withdraw(job(1)) == [.kill(processes[0])])
        #expect(machine.withdraw(job(1)) == [])
        #expect(machine.ended(processes[0], now: .zero) == [])
        // While a process starts for it.
        let second = try #require(machine.submit(request(2), now: .zero).started.first)
        #expect(machine.withdraw(job(2)) == [])
        #expect(machine.greeted(second, now: .zero) == [])
        // While its process is being stopped for misbehaving.
        _ = machine.submit(request(3), now: .zero)
        _ = machine.misbehaved(second)
        #expect(machine.withdraw(job(3)) == [])
        #expect(machine.ended(second, now: .zero) == [])
        let third = try #require(machine.submit(request(4), now: .zero).started.first)
        _ = machine.greeted(third, now: .zero)
        _ = machine.misbehaved(third)
        #expect(machine.withdraw(job(4)) == [])
        #expect(machine.ended(third, now: .zero) == [])
        #expect(machine.nextDeadline == nil)
        // While the next process is waited for.
        #expect(machine.submit(request(5), now: .zero) == [])
        #expect(machine.nextDeadline == .milliseconds(100))
        #expect(machine.withdraw(job(5)) == [])
        #expect(machine.nextDeadline == nil)
        #expect(machine.advance(now: .seconds(30)) == [])
        // An unknown one.
        #expect(machine.withdraw(job(99)) == [])
    }

    @Test("Documents that wait are given back in order, also those for which a process starts")
    func withdrawnWaiting() throws {
        var (machine, processes) = try Machine.ready()
        for number in Int64(1)...3 { _ = machine.submit(request(number), now: .zero) }
        #expect(machine.withdrawWaiting() == [request(2), request(3)])
        #expect(machine.withdrawWaiting() == [])
        #expect(
            machine.answered(processes[0], job: job(1), took: .zero, now: .zero) == [.deliver(request(1))]
        )
        var young = Machine(limits: DetectorPoolLimits(workers: 1))
        let process = try #require(young.submit(request(4), now: .zero).started.first)
        #expect(young.withdrawWaiting() == [request(4)])
        #expect(young.greeted(process, now: .zero) == [])
        #expect(young.waiting == 0)
    }

    @Test("Whatever a replaced process still does means nothing")
    func replaced() throws {
        var (machine, processes) = try Machine.ready()
        let old = processes[0]
        #expect(machine.ended(old, now: .zero) == [])
        let new = try #require(machine.submit(request(1), now: .zero).started.first)
        #expect(machine.greeted(old, now: .zero) == [])
        #expect(machine.answered(old, job: job(1), took: .zero, now: .zero) == [])
        #expect(machine.misbehaved(old) == [])
        #expect(machine.ended(old, now: .zero) == [])
        #expect(machine.greeted(new, now: .zero) == [.send(new, request(1))])
    }

    @Test("A process is replaced after a thousand pictures unless told otherwise")
    func recycledAfterThousand() throws {
        #expect(DetectorPoolLimits(workers: 1).recycleAfter == 1000)
        var (machine, processes) = try Machine.ready()
        let process = try #require(processes.first)
        for number in Int64(1)...1000 {
            let now = Duration.milliseconds(number)
            #expect(machine.submit(request(number), now: now) == [.send(process, request(number))])
            let actions = machine.answered(process, job: JobID(rawValue: number), took: .zero, now: now)
            let isLast = number == 1000
            #expect(actions == [.deliver(request(number))] + (isLast ? [.kill(process)] : []))
        }
    }
}
