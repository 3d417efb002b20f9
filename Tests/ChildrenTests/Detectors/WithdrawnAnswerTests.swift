import DetectorProtocol
import JobModel
import Synchronization
import Testing
import Vocabulary

@testable import Children

@Suite("A document that is withdrawn while its answer comes")
struct WithdrawnAnswerTests {
    private let told = Told()
    private let request = DetectionRequest(job: JobID(rawValue: 1), path: "/a.jpg")

    /// The reports of a pool.
    private final class Told: Sendable {
        private let jobs = Mutex<[JobID]>([])

        var all: [JobID] { jobs.withLock { $0 } }

        func add(_ report: DetectorPool.Report) {
            if case .ended(let job, _) = report { jobs.withLock { $0.append(job) } }
        }
    }

    /// A pool whose process, which isn't run, has answered for the document; nobody has been told yet.
    private func answered() throws -> DetectorPool {
        let configuration = DetectorPoolConfiguration(executable: "/none", arguments: [], workers: 1)
        let pool = DetectorPool(configuration: configuration, logger: .quiet) { [told] in told.add($0) }
        pool.submit(request)
        let process = DetectorPoolMachine.ProcessID(place: 0, serial: 1)
        pool.said(.greeting(DetectorGreeting(engines: [.init(name: "haar", parameters: "p")])), by: process)
        let number = try #require(pool.state.withLock { $0.looks[process]?.number })
        let answer = DetectorResponse(
            id: number,
            outcome: .counted,
            width: 10,
            height: 10,
            orientation: 1,
            format: "jpeg",
            engine: "haar",
            parameters: "p",
            seconds: 0
        )
        pool.said(.answer(answer, thumbnail: nil), by: process)
        #expect(pool.status.idle == 1)
        return pool
    }

    @Test("is told to nobody, also where it is handed in again; any other is told once")
    func withdrawn() throws {
        let pool = try answered()
        pool.withdraw(request.job)
        pool.deliver(request)
        #expect(told.all.isEmpty)
        pool.submit(request)
        pool.deliver(request)
        #expect(told.all.isEmpty)
        let other = try answered()
        other.deliver(request)
        other.deliver(request)
        #expect(told.all == [request.job])
    }
}
