import JobModel
import Testing
import Vocabulary

@testable import Children

extension DetectorPoolMachine {
    /// A machine whose processes are all ready and idle, at time zero.
    static func ready(
        workers: Int = 1,
        recycleAfter: Int = 1000
    ) throws -> (machine: Self, processes: [ProcessID]) {
        var machine = Self(limits: DetectorPoolLimits(workers: workers, recycleAfter: recycleAfter))
        let requests = (1...workers).map { DetectionRequest.numbered(1000 + Int64($0)) }
        let processes = requests.flatMap { machine.submit($0, now: .zero).started }
        try #require(processes.count == workers)
        // They were started for documents that nobody waits for any more.
        for request in requests { try #require(machine.withdraw(request.job) == []) }
        for process in processes { try #require(machine.greeted(process, now: .zero) == []) }
        return (machine, processes)
    }
}

extension [DetectorPoolMachine.Action] {
    /// The processes that are started by these actions.
    var started: [DetectorPoolMachine.ProcessID] {
        compactMap { if case .start(let process) = $0 { process } else { nil } }
    }
}

extension DetectionRequest {
    /// A request for a document that has nothing but a number.
    static func numbered(_ job: Int64) -> DetectionRequest {
        DetectionRequest(job: JobID(rawValue: job), path: "/documents/\(job).jpg")
    }
}
