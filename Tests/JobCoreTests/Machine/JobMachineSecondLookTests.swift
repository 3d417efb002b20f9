import JobCore
import JobModel
import Testing
import Vocabulary

/// A document that has been looked at, and is looked at again: whatever stops that, the first result stands.
struct JobMachineSecondLookTests {
    /// Stages of a second look when somebody does something.
    enum Stage: CaseIterable, Sendable {
        case waiting, deferred, withAnEngine, looking, interrupted, crashed, restarted, paused, pausedLooking,
            resumed
        case unhashed
    }

    /// Actions of people and leases on jobs, and of the daemon on documents.
    enum Action: CaseIterable, Sendable {
        case pause, resume, cancel, retry, retryElsewhere, detect, detectByAnother, prioritize, pin, unpin
        case hold, release, removeDocument, served

        func input() throws -> JobInput {
            switch self {
            case .pause: .pause
            case .resume: .resume
            case .cancel: .cancel
            case .retry: .retry(nil)
            case .retryElsewhere: .retry(try JobURL("https://example.net/new.jpg"))
            case .detect: .detect(DetectionDemand())
            case .detectByAnother: .detect(DetectionDemand(engine: .haar))
            case .prioritize: .prioritize(7)
            case .pin: .pin(true)
            case .unpin: .pin(false)
            case .hold: .hold
            case .release: .release
            case .removeDocument: .removeDocument
            case .served: .served(at: Moment(microseconds: 9).steady)
            }
        }
    }

    private static let first = DetectionResult(
        outcome: .counted,
        faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 5)],
        engine: "haar"
    )

    /// A job that is done, some time ago.
    private func done() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.download()
        try harness.detect(Self.first)
        harness.now = harness.now.adding(seconds: 1000)
        harness.events = []
        return harness
    }

    private func secondLook(at stage: Stage) throws -> MachineHarness {
        var harness = try done()
        if stage == .unhashed {
            var job = harness.job
            job.sha256 = nil
            harness.machine = JobMachine(job: job)
        }
        try harness.feed(.detect(DetectionDemand(engine: stage == .withAnEngine ? .yunet : nil)))
        switch stage {
        case .waiting, .withAnEngine: break
        case .unhashed: #expect(harness.isHashing)
        case .deferred: try harness.feed(.detectionDeferred)
        case .looking, .interrupted, .crashed, .restarted, .pausedLooking: try harness.feed(.detectionBegan)
        case .paused, .resumed: try harness.feed(.pause)
        }
        switch stage {
        case .interrupted: try harness.feed(.detectionInterrupted)
        case .crashed:
            harness.isInDetection = false
            try harness.feed(.detectionEnded(DetectionResult(outcome: .crashed, engine: "haar")))
            #expect(harness.state == .detecting)
        case .restarted:
            harness.crash()
            try harness.feed(.recovered(nil))
        case .pausedLooking: try harness.feed(.pause)
        case .resumed: try harness.feed(.resume)
        default: break
        }
        #expect(harness.job.isLookedAtAgain)
        return harness
    }

    /// Checks that what the first look has brought is there, and nobody is told of it once more.
    private func check(_ harness: MachineHarness, _ what: String) {
        let job = harness.job
        #expect([.stored, .detecting, .paused, .done].contains(job.state), "\(job.state): \(what)")
        #expect(job.hasResult && job.detection == Self.first, "\(what)")
        #expect(job.path == "/d/a.jpg" && job.evictedAt == nil, "\(what)")
        #expect(job.endings[.done] == 2 && job.endings.latest == 2, "\(what)")
        #expect(job.finishedAt == job.createdAt, "\(what)")
        #expect(job.endedAt == (job.state == .done ? job.createdAt : nil), "\(what)")
    }

    @Test("Cancelling ends the second look, and leaves the job as it was before", arguments: Stage.allCases)
    func cancel(_ stage: Stage) throws {
        var harness = try secondLook(at: stage)
        harness.events = []
        try harness.feed(.cancel)
        check(harness, "\(stage)")
        #expect(harness.refusal == nil && harness.state == .done)
        #expect(harness.events == [.detectionCancelled(name: "a.jpg")])
        #expect(!harness.isInDetection && harness.machine.activity == .idle)
        var before = try done().job
        before.detectionDeferred = harness.job.detectionDeferred
        before.sha256 = harness.job.sha256
        #expect(harness.job == before)
        // Once more there is nothing to cancel.
        try harness.feed(.cancel)
        #expect(harness.refusal != nil && harness.job == before && harness.events.count == 1)
    }

    @Test(
        "No two actions on a second look end the first result, whatever they are",
        arguments: Stage.allCases
    )
    func anyTwo(_ stage: Stage) throws {
        for (one, two) in Action.allCases.flatMap({ one in Action.allCases.map { (one, $0) } }) {
            var harness = try secondLook(at: stage)
            for action in [one, two] {
                let isOver = harness.state == .done
                try harness.feed(action.input())
                let what = "\(stage), \(one), \(two)"
                // What is over is a job like any other, whose document may go.
                if isOver, action == .removeDocument { break }
                check(harness, what)
                if harness.state == .detecting || harness.state == .stored {
                    #expect(harness.isInDetection || harness.isHashing, "\(what)")
                }
            }
        }
    }

    @Test(
        "After any action a second look can be cancelled, or ends with a result of its own",
        arguments: Stage.allCases
    )
    func afterAny(_ stage: Stage) throws {
        for action in Action.allCases where action != .cancel {
            var harness = try secondLook(at: stage)
            try harness.feed(action.input())
            var cancelled = harness
            try cancelled.feed(.cancel)
            check(cancelled, "\(stage), \(action)")
            #expect(cancelled.state == .done)
            if harness.isHashing { try harness.hash() }
            if harness.state == .paused { try harness.feed(.resume) }
            let second = DetectionResult(outcome: .unreadable, engine: "haar")
            if harness.state == .stored { try harness.feed(.detectionBegan) }
            try harness.endDetection(second)
            #expect(harness.state == .done && harness.job.detection == second)
            #expect(harness.job.endings[.done] == 3 && harness.job.finishedAt == harness.now)
        }
    }

    @Test("The answer of a detector that comes too late changes nothing")
    func late() throws {
        var harness = try secondLook(at: .looking)
        try harness.feed(.cancel)
        try harness.feed(.detectionEnded(DetectionResult(outcome: .unreadable, engine: "haar")))
        check(harness, "late")
        #expect(harness.state == .done)
    }

    @Test("A first look that is cancelled ends the job, as does a cancellation in any other state")
    func firstLook() throws {
        for state in JobState.allCases where state != .done {
            var harness = try MachineHarness()
            try JobMachineWalkTests.bring(&harness, to: state)
            #expect(!harness.job.isLookedAtAgain && harness.job.hasResult == (state == .done))
            try harness.feed(.cancel)
            #expect(harness.state == .cancelled && harness.job.detection == nil, "\(state)")
        }
    }

    @Test("A second look that damage has left without a time or a number gets them when it is cancelled")
    func incomplete() throws {
        var harness = try secondLook(at: .waiting)
        var job = harness.job
        job.finishedAt = nil
        job.endings = JobEndings()
        var machine = JobMachine(job: job)
        _ = machine.handle(.cancel, in: &harness.context)
        #expect(machine.job.finishedAt == harness.now && machine.job.ended != nil)
    }

    @Test("What a refusal advises isn't refused")
    func advice() throws {
        func harness(_ state: JobState, isRemoved: Bool = false) throws -> MachineHarness {
            var harness = try MachineHarness()
            try JobMachineWalkTests.bring(&harness, to: state)
            guard isRemoved else { return harness }
            var job = harness.job
            (job.path, job.evictedAt) = (nil, job.createdAt.wall)
            harness.machine = JobMachine(job: job)
            return harness
        }
        let inputs: [JobInput] = [
            .pause, .resume, .cancel, .retry(nil), .detect(DetectionDemand()), .pin(true),
        ]
        let advised: [(words: String, input: JobInput)] = [
            ("retry", .retry(nil)), ("resume it", .resume), ("detect looks", .detect(DetectionDemand())),
        ]
        var followed: Set<String> = []
        var harnesses = try JobState.allCases.map { try harness($0) }
        harnesses += try [.done, .cancelled].map { try harness($0, isRemoved: true) }
        for state in [JobState.stored, .detecting] {
            for steering in [JobInput.pause, .cancel] {
                var one = try harness(state)
                try one.feed(steering)
                harnesses.append(one)
            }
        }
        for before in harnesses {
            for input in inputs {
                var refused = before
                guard let words = refused.machine.handle(input, in: &refused.context).refusal else {
                    continue
                }
                for (advice, next) in advised where words.contains(advice) {
                    let decision = refused.machine.handle(next, in: &refused.context)
                    #expect(decision.refusal == nil, "\(input) in \(before.state): \(words)")
                    #expect(refused.machine != before.machine, "\(input) in \(before.state): \(words)")
                    followed.insert(advice)
                }
            }
        }
        #expect(followed.count == advised.count)
    }
}
