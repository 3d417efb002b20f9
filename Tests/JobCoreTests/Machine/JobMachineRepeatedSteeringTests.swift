import JobCore
import JobModel
import Testing
import Vocabulary

/// Every steering in every situation: it does what it says at once, does nothing the second time,
/// and never touches a document.
struct JobMachineRepeatedSteeringTests {
    /// Situations of a job when somebody steers it.
    enum Situation: Hashable, Sendable {
        case state(JobState)
        /// The transfer has brought something.
        case transferring
        /// The transfer was cut off, and left a partial.
        case cutOff
        /// The server refused to go on with a partial.
        case refusedWithPartial
        case sealing
        case publishing
        /// Published, and the hash is still being made.
        case hashing
        /// A job without a document that has no readable URL.
        case unreadable

        static let all: [Situation] =
            JobState.allCases.map { .state($0) } + [
                .transferring, .cutOff, .refusedWithPartial, .sealing, .publishing, .hashing, .unreadable,
            ]
    }

    enum Steering: CaseIterable, Sendable {
        case pause, resume, cancel, retry, retryElsewhere, prioritize

        func input() throws -> JobInput {
            switch self {
            case .pause: .pause
            case .resume: .resume
            case .cancel: .cancel
            case .retry: .retry(nil)
            case .retryElsewhere: .retry(try JobURL("https://example.net/new.jpg"))
            case .prioritize: .prioritize(7)
            }
        }
    }

    private static let cut = JobFailure(.connectionLost, "the connection broke")

    private func harness(in situation: Situation) throws -> MachineHarness {
        if situation == .unreadable {
            var harness = try MachineHarness(url: JobURL(unreadable: "https://ann:secret@"))
            try harness.grantPermit()
            return harness
        }
        var harness = try MachineHarness()
        if case .state(let state) = situation {
            try JobMachineWalkTests.bring(&harness, to: state)
            #expect(harness.state == state)
            return harness
        }
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        switch situation {
        case .state, .unreadable, .transferring: return harness
        case .cutOff:
            try harness.end(.interrupted(Self.cut, retryAfter: nil))
            return harness
        case .refusedWithPartial:
            try harness.end(.refused(Self.cut))
            return harness
        case .sealing, .publishing, .hashing: break
        }
        try harness.progress(100)
        try harness.end(.completed(length: 100, lengthProven: true))
        #expect(harness.isSealing)
        if situation == .sealing { return harness }
        try harness.seal(sha256: situation == .hashing ? nil : "ab")
        #expect(harness.isPublishing)
        if situation == .publishing { return harness }
        try harness.publish()
        #expect(harness.isHashing)
        return harness
    }

    /// Feeds it twice: the second time, there is nothing left to do.
    private func steer(_ harness: inout MachineHarness, _ steering: Steering, _ what: String) throws {
        let before = harness
        try harness.feed(steering.input())
        let once = harness
        if once.refusal != nil { #expect(once.machine == before.machine, "refused, and done: \(what)") }
        try harness.feed(steering.input())
        #expect(harness.machine == once.machine, "\(what), the second time")
        #expect(harness.refusal == once.refusal, "\(what), the second time")
        #expect(harness.events == once.events, "\(what), the second time")
        #expect(harness.moves == once.moves, "\(what), the second time")
        #expect(harness.effects == once.effects, "\(what), the second time")
        #expect(harness.job.path == before.job.path && harness.documentPath == before.documentPath)
        if before.job.path != nil {
            #expect(harness.job.name == before.job.name && harness.job.sha256 == before.job.sha256)
            #expect(harness.job.bytes == before.job.bytes)
        }
        try check(steering, before: before, after: harness, what)
    }

    /// Checks that what was asked for is so at once, whatever the outside still has to end.
    private func check(
        _ steering: Steering,
        before: MachineHarness,
        after: MachineHarness,
        _ what: String
    ) throws {
        switch steering {
        case .pause:
            #expect((after.refusal != nil) == before.state.isFinal, "\(what)")
            if after.refusal == nil { #expect(after.state == .paused, "\(what)") }
            #expect(after.partialLength == before.partialLength, "\(what): the partial is kept")
        case .resume:
            #expect((after.refusal != nil) == before.state.isFinal, "\(what)")
            #expect(after.state != .paused, "\(what)")
            if before.state != .paused { #expect(after.machine == before.machine, "\(what)") }
        case .cancel:
            #expect((after.refusal != nil) == (before.state == .done), "\(what)")
            if after.refusal == nil { #expect(after.state == .cancelled, "\(what)") }
        case .retry, .retryElsewhere:
            guard after.refusal == nil else { break }
            #expect(![.waiting, .paused, .failed, .cancelled].contains(after.state), "\(what)")
            if steering == .retryElsewhere {
                #expect(after.job.url == (try JobURL("https://example.net/new.jpg")), "\(what)")
            }
        case .prioritize:
            #expect(after.refusal == nil && after.job.priority == 7, "\(what)")
            #expect(after.state == before.state, "\(what)")
        }
    }

    /// Lets the outside end what it does.
    private func settle(_ harness: inout MachineHarness) throws {
        if harness.isTransferring { try harness.end(.stopped) }
        if harness.isSealing { try harness.seal() }
        if harness.isPublishing { try harness.publish() }
        if harness.isHashing { try harness.hash() }
    }

    @Test("Any steering, twice in a row, does in every situation what once does", arguments: Situation.all)
    func twice(_ situation: Situation) throws {
        for steering in Steering.allCases {
            var harness = try harness(in: situation)
            try steer(&harness, steering, "\(steering) in \(situation)")
            try settle(&harness)
        }
    }

    @Test(
        "The same holds after any other steering, whether or not the outside has ended what it did",
        arguments: Situation.all
    )
    func twiceAfterAnother(_ situation: Situation) throws {
        for first in Steering.allCases {
            for (second, isSettled) in Steering.allCases.flatMap({ [($0, false), ($0, true)] }) {
                let what = "\(first), \(isSettled ? "its end, " : "")\(second) in \(situation)"
                var harness = try harness(in: situation)
                try harness.feed(first.input())
                if isSettled { try settle(&harness) }
                try steer(&harness, second, what)
                try settle(&harness)
            }
        }
    }

    @Test("A job that is cancelled in any situation leaves no partial", arguments: Situation.all)
    func cancelled(_ situation: Situation) throws {
        for first in Steering.allCases {
            var harness = try harness(in: situation)
            try harness.feed(first.input())
            try harness.feed(.cancel)
            try settle(&harness)
            guard harness.state != .done else { continue }
            #expect(harness.state == .cancelled)
            #expect(harness.partialLength == nil && !harness.hasPermit && !harness.isQueued)
            #expect(harness.job.segments == nil && harness.job.durableBytes == 0 || harness.job.path != nil)
        }
    }

    @Test("Nor does one whose publication fails after it was cancelled", arguments: [true, false])
    func cancelledAndNotPublished(keepsPartial: Bool) throws {
        var harness = try harness(in: .publishing)
        try harness.feed(.cancel)
        harness.isPublishing = false
        try harness.feed(.storage(.publishFailed(Self.cut, keepsPartial: keepsPartial)))
        #expect(harness.state == .cancelled)
        #expect(harness.partialLength == nil)
        #expect(harness.job.bytes == 0)
    }

    @Test("Nor does one whose file can't be synced after it was cancelled", arguments: [true, false])
    func cancelledAndNotSealed(keepsPartial: Bool) throws {
        var harness = try harness(in: .sealing)
        try harness.feed(.cancel)
        harness.isSealing = false
        try harness.feed(.storage(.sealFailed(Self.cut, keepsPartial: keepsPartial)))
        #expect(harness.state == .cancelled)
        #expect(harness.partialLength == nil)
        #expect(harness.job.bytes == 0)
    }
}
