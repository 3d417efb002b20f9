import JobModel
import Vocabulary

@testable import JobEngine

/// The detectors: a pool that always answers in the end, as it ends those that don't.
final class SimulatedDetectors: DetectionPort, @unchecked Sendable {
    private unowned let life: Life
    private var looking: [JobID: Int] = [:]
    private var looks = 0

    init(_ life: Life) { self.life = life }

    let identity: DetectorIdentity? = DetectorIdentity(engine: "haar", parameters: "p")

    /// Returns whether a job's document is being looked at.
    func isLooking(at job: JobID) -> Bool { looking[job] != nil }

    func submit(_ request: DetectionRequest) {
        guard life.acts() else { return }
        life.world.promises.looks(at: request)
        looks += 1
        let (job, look) = (request.job, looks)
        looking[job] = look
        var chance = Chance(life.world.scenario.seed, "picture", Int(job.rawValue))
        var again = Chance(life.world.scenario.seed, "look", Int(job.rawValue), life.number, look)
        let result: DetectionResult
        var seconds = again.scaled(0.02...20)
        switch chance.integer(0...99) {
        case 0: return life.after(seconds) { [unowned life] in life.die() }
        case 1...4: result = DetectionResult(outcome: .crashed, engine: "haar", parameters: "p")
        case 5...7: result = DetectionResult(outcome: .unreadable, engine: "haar", parameters: "p")
        case 8...9:
            seconds = 60
            result = DetectionResult(outcome: .timedOut, engine: "haar", parameters: "p")
        case 10...14 where again.happens(0.5):
            result = DetectionResult(outcome: .crashed, engine: "haar", parameters: "p")
        default:
            result = DetectionResult(outcome: .counted, engine: "haar", parameters: "p", seconds: seconds)
        }
        life.after(seconds) { [unowned self] in
            guard looking[job] == look else { return }
            looking[job] = nil
            life.world.coverage.note("outcome \(result.outcome.rawValue)")
            life.post(.detected(job, result))
        }
    }

    func withdraw(_ job: JobID) {
        guard life.acts() else { return }
        looking[job] = nil
    }

    /// Ends all of them together with the daemon.
    func end() { looking = [:] }
}
