import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

@Suite("Hosts that bring nothing cost others nothing")
struct SilentHostTests {
    /// A queue beside hosts that answer after a moment, or never, under a clock of its own.
    private struct Line {
        enum Character { case good, silent, dripping, slow }

        var queue: TransferQueue
        var now = Moment(microseconds: 1_000_000)
        var characters: [String: Character] = [:]
        var hosts: [JobID: String] = [:]
        var begun: [JobID: Moment] = [:]
        var ended: [JobID: Moment] = [:]
        var most: [String: Int] = [:]
        var lastNumber: Int64 = 0
        /// The seconds after which a request without an answer, or one that drips, is given up.
        let patience = 30.0

        init(total: Int = 16, trials: Int = 1024) {
            queue = TransferQueue(limits: .init(total: total, perHost: 6, trials: trials))
        }

        mutating func add(_ count: Int, at host: String, _ character: Character) {
            characters[host] = character
            for _ in 0..<count {
                lastNumber += 1
                let job = JobID(rawValue: lastNumber)
                hosts[job] = host
                queue.enqueue(job, host: host, priority: 0)
            }
        }

        /// Lets a twentieth of a second pass.
        mutating func step() {
            now = now.adding(seconds: 0.05)
            for (job, since) in begun.sorted(by: { $0.key < $1.key }) {
                guard let host = hosts[job], let character = characters[host] else { continue }
                let age = now.seconds(since: since)
                switch character {
                case .good where age >= 0.2:
                    queue.hostAnswered(host, job: job, now: now)
                    end(job, at: 50_000)
                case .slow where age >= 3:
                    queue.hostAnswered(host, job: job, now: now)
                    end(job, at: 50_000)
                case .dripping where age >= 0.1 && age < 0.15:
                    queue.hostAnswered(host, job: job, now: now)
                case .dripping where age >= patience, .silent where age >= patience:
                    queue.broughtNothing(job, now: now)
                    end(job, at: 30)
                case .dripping where age >= 0.15: queue.progress(job, to: Int64(age), now: now)
                case .good, .slow, .silent, .dripping: break
                }
            }
            while let job = queue.next(now: now) {
                begun[job] = now
                queue.begin(job, at: 0)
            }
            var active: [String: Int] = [:]
            for job in begun.keys { active[hosts[job] ?? "", default: 0] += 1 }
            most.merge(active) { max($0, $1) }
        }

        private mutating func end(_ job: JobID, at bytes: Int64) {
            begun[job] = nil
            ended[job] = now
            queue.release(job, at: bytes, now: now)
        }

        /// Returns the seconds until all jobs of good hosts have ended; nil if that takes more than `limit`.
        mutating func seconds(within limit: Double) -> Double? {
            let first = now
            while now.seconds(since: first) < limit {
                step()
                let waits = hosts.contains { ended[$0.key] == nil && characters[$0.value] == .good }
                if !waits { return now.seconds(since: first) }
            }
            return nil
        }
    }

    private func alone() throws -> Double {
        var line = Line()
        for host in 0..<5 { line.add(60, at: "good\(host)", .good) }
        let taken = line.seconds(within: 100)
        return try #require(taken)
    }

    @Test(
        "Three silent hosts of a hundred jobs each, before three hundred good ones, cost a moment",
        arguments: [false, true]
    )
    func three(drips: Bool) throws {
        var line = Line()
        for host in 0..<3 { line.add(100, at: "bad\(host)", drips ? .dripping : .silent) }
        for host in 0..<5 { line.add(60, at: "good\(host)", .good) }
        let taken = line.seconds(within: 100)
        let seconds = try #require(taken)
        #expect(seconds <= (try alone()) * 1.3)
        #expect((0..<3).allSatisfy { line.most["bad\($0)"] == 1 })
    }

    @Test(
        "A thousand silent hosts at the head of a list are found out within seconds",
        arguments: [false, true]
    )
    func thousand(drips: Bool) throws {
        var line = Line()
        for host in 0..<1000 { line.add(10, at: "bad\(host)", drips ? .dripping : .silent) }
        for host in 0..<5 { line.add(60, at: "good\(host)", .good) }
        let taken = line.seconds(within: 100)
        let seconds = try #require(taken)
        #expect(seconds - (try alone()) < 16)
        // All of those that are silent are asked on, at once and by one request each, and no others.
        #expect(line.queue.activeCount == 1000)
    }

    @Test("Where only so many may be tried at once, the others follow as those are given up")
    func bounded() throws {
        var line = Line(trials: 50)
        for host in 0..<120 { line.add(1, at: "bad\(host)", .silent) }
        line.add(5, at: "good", .good)
        var most = 0
        let first = line.now
        while line.ended.count < 125, line.now.seconds(since: first) < 300 {
            line.step()
            most = max(most, line.queue.activeCount)
        }
        #expect(line.ended.count == 125)
        #expect(most <= 66)
    }

    @Test("A host that is slow to answer, and the only one, is asked as ever")
    func slow() {
        var line = Line()
        line.add(12, at: "slow", .slow)
        line.step()
        #expect(line.queue.activeCount == 6)
    }

    @Test(
        "A host that has brought something may be asked once more for each, and falls back when it goes silent"
    )
    func grows() throws {
        var line = Line()
        line.add(40, at: "good", .good)
        line.add(10, at: "other", .silent)
        line.step()
        #expect(line.begun.count == 2)
        for _ in 0..<30 where line.most["good"] != 6 { line.step() }
        #expect(line.most["good"] == 6)
        line.characters["good"] = .silent
        line.most = [:]
        for _ in 0..<(20 * 31) { line.step() }
        line.most = [:]
        for _ in 0..<40 { line.step() }
        #expect(line.most["good"] == 1)
    }

    @Test(
        "Over a slow line as many transfers share it as may, and a few more while that isn't known",
        arguments: [32_000.0, 64_000]
    )
    func slowLine(bytesPerSecond: Double) throws {
        var queue = TransferQueue(limits: .init(total: 16, perHost: 6, trials: 1024))
        for number in 1...3000 {
            queue.enqueue(JobID(rawValue: Int64(number)), host: "h\(number)", priority: 0)
        }
        var now = Moment(microseconds: 1_000_000)
        var bytes: [JobID: Double] = [:]
        var (most, ended) = (0, 0)
        for _ in 0..<2400 {
            now = now.adding(seconds: 0.05)
            let share = bytesPerSecond * 0.05 / Double(max(1, bytes.count))
            for (job, had) in bytes.sorted(by: { $0.key < $1.key }) {
                // A handshake of 4 kB comes first, and bytes come in packets.
                if had < 4000, had + share >= 4000 {
                    queue.hostAnswered("h\(job.rawValue)", job: job, now: now)
                }
                bytes[job] = had + share
                let body = Int64(max(0, had + share - 4000)) / 1448 * 1448
                if body > 0 { queue.progress(job, to: min(body, 50_000), now: now) }
                guard body >= 50_000 else { continue }
                queue.release(job, at: 50_000, now: now)
                bytes[job] = nil
                ended += 1
            }
            for job in queue.surplus(now: now, canGiveWay: { _ in true }) {
                queue.release(job, now: now)
                bytes[job] = nil
                queue.enqueue(job, host: "h\(job.rawValue)", priority: 0)
            }
            while let job = queue.next(now: now) {
                bytes[job] = 0
                queue.begin(job, at: 0)
            }
            most = max(most, bytes.count)
        }
        // Two minutes are worth so many files at the most.
        let whole = Int(bytesPerSecond * 120 / 54_000)
        #expect(ended > whole / 3, "\(ended) of \(whole), at most \(most) at once")
        #expect(most < 600)
    }

    @Test("Where the line stood still for a while, what begins to come is cut down to the limit")
    func standstill() {
        var line = Line(total: 4)
        for host in 0..<400 { line.add(1, at: "h\(host)", .silent) }
        for _ in 0..<400 { line.step() }
        #expect(line.queue.activeCount > 100)
        for host in 0..<400 { line.characters["h\(host)"] = .good }
        var stopped = 0
        for job in line.begun.keys.sorted() {
            line.queue.hostAnswered(line.hosts[job] ?? "", job: job, now: line.now)
            line.queue.progress(job, to: 5000, now: line.now)
            stopped += line.queue.surplus(now: line.now, canGiveWay: { _ in true }).count
        }
        #expect(line.queue.activeCount - stopped == 4)
    }

    @Test("A host is tried once, although its only file gives way as soon as something comes")
    func givesWay() throws {
        var line = Line(total: 1, trials: 8)
        line.add(1, at: "dead", .silent)
        for _ in 0..<100 { line.step() }
        line.add(1, at: "steady", .silent)
        line.step()
        let steady = JobID(rawValue: 2)
        line.queue.progress(steady, to: 5000, now: line.now)
        line.add(1, at: "tried", .silent)
        line.step()
        let tried = JobID(rawValue: 3)
        #expect(line.begun[tried] != nil)
        line.queue.progress(tried, to: 5000, now: line.now)
        #expect(line.queue.surplus(now: line.now, canGiveWay: { _ in true }) == [tried])
        line.queue.release(tried, at: 5000, now: line.now)
        line.begun[tried] = nil
        line.queue.enqueue(tried, host: "tried", priority: 0)
        line.step()
        #expect(line.begun[tried] == nil)
        line.queue.release(steady, at: 6000, now: line.now)
        line.begun[steady] = nil
        line.step()
        #expect(line.begun[tried] != nil)
    }

    @Test(
        "What a silent host's requests count for is nothing, and all when it brings something again",
        arguments: 1...10
    )
    func counts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var line = Line(total: 4, trials: 8)
        for host in 0..<20 {
            let character =
                [Line.Character.good, .silent, .dripping, .slow].randomElement(using: &generator) ?? .good
            line.add(Int.random(in: 1...6, using: &generator), at: "h\(host)", character)
        }
        for _ in 0..<2000 {
            line.step()
            let before = line.queue.load
            line.queue.recount()
            #expect(line.queue.load == before)
        }
        for _ in 0..<200_000 where line.ended.count < line.hosts.count { line.step() }
        #expect(line.queue.queuedCount == 0 && line.queue.load == HostLoad())
    }
}
