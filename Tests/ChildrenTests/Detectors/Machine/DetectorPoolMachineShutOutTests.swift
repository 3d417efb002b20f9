import JobModel
import Testing
import Vocabulary

@testable import Children

@Suite struct DetectorPoolMachineShutOutTests {
    private typealias Machine = DetectorPoolMachine

    private func request(_ job: Int64) -> DetectionRequest { .numbered(job) }

    private func job(_ job: Int64) -> JobID { JobID(rawValue: job) }

    @Test("A process is replaced that can't open the directory, and ever more slowly while that goes on")
    func shutOut() throws {
        var (machine, processes) = try Machine.ready(workers: 2)
        _ = machine.submit(request(1), now: .zero)
        #expect(
            machine.answered(processes[0], job: job(1), took: .zero, isShutOut: true, now: .zero)
                == [.deliver(request(1)), .kill(processes[0])]
        )
        // The other serves whoever comes.
        #expect(machine.submit(request(2), now: .zero) == [.send(processes[1], request(2))])
        #expect(machine.submit(request(1), now: .zero) == [])
        var process = try #require(machine.ended(processes[0], now: .zero).started.first)
        var now = Duration.zero
        for delay in [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000] {
            #expect(machine.greeted(process, now: now) == [.send(process, request(1))])
            _ = machine.answered(process, job: job(1), took: .zero, isShutOut: true, now: now)
            #expect(machine.submit(request(1), now: now) == [])
            #expect(machine.ended(process, now: now) == [])
            now += .milliseconds(delay)
            #expect(machine.advance(now: now - .milliseconds(1)).started == [])
            process = try #require(machine.advance(now: now).started.first)
        }
        #expect(machine.looksShutOut == 11)
        #expect(machine.greeted(process, now: now) == [.send(process, request(1))])
        _ = machine.answered(process, job: job(1), took: .zero, now: now)
        #expect(machine.looksShutOut == 0)
        // What is late or withdrawn says nothing.
        _ = machine.submit(request(3), now: now)
        _ = machine.withdraw(job(3))
        #expect(machine.answered(process, job: job(3), took: .zero, isShutOut: true, now: now) == [])
        #expect(machine.looksShutOut == 0)
    }
}
