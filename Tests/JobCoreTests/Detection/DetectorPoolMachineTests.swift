import JobCore
import Testing

@Suite struct DetectorPoolMachineTests {
    private typealias Machine = DetectorPoolMachine

    private func request(_ job: Int64) -> DetectionRequest {
        DetectionRequest(job: JobID(rawValue: job), path: "/documents/\(job).jpg")
    }

    private func job(_ job: Int64) -> JobID { JobID(rawValue: job) }

    /// The processes that are started by these actions.
    private func started(_ actions: [Machine.Action]) -> [Machine.ProcessID] {
        actions.compactMap { if case .start(let process) = $0 { process } else { nil } }
    }

    /// A machine whose processes are all ready, at time zero.
    private func ready(
        workers: Int = 1,
        recycleAfter: Int = 1000
    ) throws -> (machine: Machine, processes: [Machine.ProcessID]) {
        var machine = Machine(limits: DetectorPoolLimits(workers: workers, recycleAfter: recycleAfter))
        let processes = started(machine.advance(now: .zero))
        try #require(processes.count == workers)
        for process in processes {
            let actions = machine.greeted(process, now: .zero)
            try #require(actions.isEmpty)
        }
        return (machine, processes)
    }

    @Test("At the start there is a process for each worker, and nothing is sent before it is ready")
    func start() {
        var machine = Machine(limits: DetectorPoolLimits(workers: 2))
        #expect(machine.submit(request(1), now: .zero) == [])
        #expect(machine.nextDeadline == .zero)
        let actions = machine.advance(now: .zero)
        let processes = started(actions)
        #expect(actions == processes.map { .start($0) })
        #expect(processes.map(\.place) == [0, 1])
        #expect(machine.greeted(processes[1], now: .seconds(1)) == [.send(processes[1], request(1))])
        #expect(machine.greeted(processes[0], now: .seconds(1)) == [])
    }

    @Test("Each process has one picture at a time; the others wait in order")
    func order() throws {
        var (machine, processes) = try ready(workers: 2)
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

    @Test("A picture whose process dies is tried once more, in a new process, before all others")
    func secondTry() throws {
        var (machine, processes) = try ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        let actions = machine.ended(processes[0], now: .seconds(5))
        let next = try #require(started(actions).first)
        #expect(actions == [.start(next)])
        #expect(next != processes[0])
        #expect(machine.greeted(next, now: .seconds(6)) == [.send(next, request(1))])
        #expect(machine.nextDeadline == .seconds(66))
        #expect(
            machine.answered(next, job: job(1), took: .zero, now: .seconds(7))
                == [.deliver(request(1)), .send(next, request(2))]
        )
    }

    @Test("A picture that ends two processes has crashed, and the next picture is served")
    func crashed() throws {
        var (machine, processes) = try ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        let second = try #require(started(machine.ended(processes[0], now: .zero)).first)
        _ = machine.greeted(second, now: .zero)
        #expect(machine.ended(second, now: .zero) == [.report(request(1), .crashed)])
        // Two deaths in a row: the third process comes after a moment.
        #expect(machine.nextDeadline == .milliseconds(100))
        #expect(machine.advance(now: .milliseconds(99)) == [])
        let third = try #require(started(machine.advance(now: .milliseconds(100))).first)
        #expect(machine.greeted(third, now: .seconds(1)) == [.send(third, request(2))])
    }

    @Test("A picture that takes longer than allowed has timed out, and isn't tried again")
    func timedOut() throws {
        var (machine, processes) = try ready()
        _ = machine.submit(request(1), now: .seconds(1))
        #expect(machine.nextDeadline == .seconds(61))
        #expect(machine.advance(now: .milliseconds(60_999)) == [])
        #expect(machine.advance(now: .seconds(61)) == [.kill(processes[0]), .report(request(1), .timedOut)])
        #expect(machine.nextDeadline == nil)
        // Its answer came too late.
        #expect(machine.answered(processes[0], job: job(1), took: .zero, now: .seconds(61)) == [])
        // Its end is no death: the next process is started at once.
        #expect(started(machine.ended(processes[0], now: .seconds(61))).count == 1)
    }

    @Test("A process is replaced after so many pictures, and the next picture waits for the new one")
    func recycled() throws {
        var (machine, processes) = try ready(recycleAfter: 2)
        for number in 1...3 { _ = machine.submit(request(Int64(number)), now: .zero) }
        _ = machine.answered(processes[0], job: job(1), took: .zero, now: .zero)
        #expect(
            machine.answered(processes[0], job: job(2), took: .zero, now: .zero)
                == [.deliver(request(2)), .kill(processes[0])]
        )
        let next = try #require(started(machine.ended(processes[0], now: .zero)).first)
        #expect(machine.greeted(next, now: .zero) == [.send(next, request(3))])
    }

    @Test("A process is replaced after so much work, before it meets its limit of CPU time")
    func worn() throws {
        var (machine, processes) = try ready()
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
        _ = machine.submit(request(1), now: .zero)
        var now = Duration.zero
        var delays: [Duration] = []
        for _ in 0..<12 {
            let process = try #require(started(machine.advance(now: now)).first)
            let actions = machine.ended(process, now: now)
            if let early = started(actions).first {
                // The first death: at once.
                delays.append(.zero)
                #expect(machine.ended(early, now: now) == [])
            }
            let next = try #require(machine.nextDeadline)
            delays.append(next - now)
            now = next
        }
        #expect(
            delays.prefix(5) == [
                .zero, .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800),
            ]
        )
        #expect(delays.last == .seconds(30))
        // The picture has paid for none of it.
        let process = try #require(started(machine.advance(now: now)).first)
        #expect(machine.greeted(process, now: now) == [.send(process, request(1))])
        #expect(machine.answered(process, job: job(1), took: .zero, now: now) == [.deliver(request(1))])
        // An answer ends the row of deaths.
        #expect(started(machine.ended(process, now: now)).count == 1)
    }

    @Test("A run of pictures that kill costs the others at most a second each")
    func killers() throws {
        var (machine, processes) = try ready()
        var process = processes[0]
        var now = Duration.zero
        for number in 1...20 {
            _ = machine.submit(request(Int64(number)), now: now)
            for attempt in 1...2 {
                let actions = machine.ended(process, now: now)
                #expect(actions.contains(.report(request(Int64(number)), .crashed)) == (attempt == 2))
                let next = machine.nextDeadline ?? now
                if started(actions).isEmpty { #expect(next - now <= .seconds(1)) }
                let again = started(actions).first ?? started(machine.advance(now: next)).first
                now = max(now, started(actions).isEmpty ? next : now)
                process = try #require(again)
                _ = machine.greeted(process, now: now)
            }
        }
    }

    @Test(
        "A process that doesn't become ready is stopped, and the picture that waits for it has lost nothing"
    )
    func slowStart() throws {
        var (machine, processes) = try ready()
        _ = machine.submit(request(1), now: .zero)
        let second = try #require(started(machine.ended(processes[0], now: .zero)).first)
        #expect(machine.nextDeadline == .seconds(30))
        #expect(machine.advance(now: .seconds(30)) == [.kill(second)])
        #expect(machine.greeted(second, now: .seconds(30)) == [])
        _ = machine.ended(second, now: .seconds(30))
        let third = try #require(started(machine.advance(now: .seconds(31))).first)
        #expect(machine.greeted(third, now: .seconds(31)) == [.send(third, request(1))])
        // That was its second try.
        #expect(machine.ended(third, now: .seconds(32)) == [.report(request(1), .crashed)])
    }

    @Test("A broken protocol stops the process; over a picture, that was one try")
    func misbehaved() throws {
        var (machine, processes) = try ready()
        _ = machine.submit(request(1), now: .zero)
        #expect(machine.misbehaved(processes[0]) == [.kill(processes[0])])
        #expect(machine.misbehaved(processes[0]) == [])
        let second = try #require(started(machine.ended(processes[0], now: .zero)).first)
        #expect(machine.greeted(second, now: .zero) == [.send(second, request(1))])
        #expect(machine.misbehaved(second) == [.kill(second)])
        #expect(machine.ended(second, now: .zero) == [.report(request(1), .crashed)])
    }

    @Test("Answers that nobody asked for, and second greetings, break the protocol")
    func unasked() throws {
        var (machine, processes) = try ready(workers: 3)
        #expect(machine.answered(processes[0], job: job(1), took: .zero, now: .zero) == [.kill(processes[0])])
        #expect(machine.greeted(processes[1], now: .zero) == [.kill(processes[1])])
        _ = machine.submit(request(1), now: .zero)
        #expect(machine.answered(processes[2], job: job(2), took: .zero, now: .zero) == [.kill(processes[2])])
        var young = Machine(limits: DetectorPoolLimits(workers: 1))
        let process = try #require(started(young.advance(now: .zero)).first)
        #expect(young.answered(process, job: job(1), took: .zero, now: .zero) == [.kill(process)])
        #expect(young.misbehaved(process) == [])
    }

    @Test("A withdrawn document is forgotten wherever it is")
    func withdrawn() throws {
        var (machine, processes) = try ready()
        _ = machine.submit(request(1), now: .zero)
        _ = machine.submit(request(2), now: .zero)
        // In the queue.
        #expect(machine.withdraw(job(2)) == [])
        #expect(machine.waiting == 0)
        // Being looked at.
        #expect(machine.withdraw(job(1)) == [.kill(processes[0])])
        #expect(machine.withdraw(job(1)) == [])
        let second = try #require(started(machine.ended(processes[0], now: .zero)).first)
        #expect(machine.greeted(second, now: .zero) == [])
        // Between its two tries, while the next process starts.
        _ = machine.submit(request(3), now: .zero)
        let third = try #require(started(machine.ended(second, now: .zero)).first)
        #expect(machine.withdraw(job(3)) == [])
        #expect(machine.greeted(third, now: .zero) == [])
        // While its process is being stopped for misbehaving.
        _ = machine.submit(request(4), now: .zero)
        _ = machine.misbehaved(third)
        #expect(machine.withdraw(job(4)) == [])
        _ = machine.ended(third, now: .zero)
        let fourth = try #require(started(machine.advance(now: .seconds(30))).first)
        #expect(machine.greeted(fourth, now: .seconds(30)) == [])
        // While the next process is waited for.
        _ = machine.submit(request(5), now: .seconds(30))
        #expect(machine.ended(fourth, now: .seconds(30)) == [])
        #expect(machine.withdraw(job(5)) == [])
        let fifth = try #require(started(machine.advance(now: .seconds(60))).first)
        #expect(machine.greeted(fifth, now: .seconds(60)) == [])
        // An unknown one.
        #expect(machine.withdraw(job(99)) == [])
    }

    @Test("Whatever a replaced process still does means nothing")
    func replaced() throws {
        var (machine, processes) = try ready()
        let old = processes[0]
        let new = try #require(started(machine.ended(old, now: .zero)).first)
        #expect(machine.greeted(old, now: .zero) == [])
        #expect(machine.answered(old, job: job(1), took: .zero, now: .zero) == [])
        #expect(machine.misbehaved(old) == [])
        #expect(machine.ended(old, now: .zero) == [])
        #expect(machine.greeted(new, now: .zero) == [])
        #expect(machine.submit(request(1), now: .zero) == [.send(new, request(1))])
    }

    @Test("With nothing to wait for there is no deadline")
    func idle() throws {
        var (machine, _) = try ready(workers: 2)
        #expect(machine.nextDeadline == nil)
        #expect(machine.advance(now: .seconds(1000)) == [])
    }

    @Test("A process is replaced after a thousand pictures unless told otherwise")
    func recycledAfterThousand() throws {
        #expect(DetectorPoolLimits(workers: 1).recycleAfter == 1000)
        var (machine, processes) = try ready()
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
