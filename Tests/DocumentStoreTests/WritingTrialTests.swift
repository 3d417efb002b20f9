import Dispatch
import Glibc
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import DocumentStore

@Suite("The thread that tries whether anything can be written")
struct WritingTrialTests {
    /// A disk that answers when it is told to.
    private final class Disk: Sendable {
        private let answers = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let tries = Mutex(0)

        func attempt(_ begins: (String) -> Void) -> String? {
            tries.withLock { $0 += 1 }
            begins("the documents directory /d")
            entered.signal()
            answers.wait()
            return "read-only"
        }

        func answer() { answers.signal() }
    }

    private static func comes(_ signal: DispatchSemaphore) -> Bool {
        signal.wait(timeout: .now() + .seconds(60)) == .success
    }

    @Test("One thread tries at a time, whoever asks how often, and answers once", .ownThread)
    func once() {
        let (disk, heard) = (Disk(), DispatchSemaphore(value: 0))
        let said = Mutex<[String?]>([])
        let hear = { @Sendable (words: String?) in
            said.withLock { $0.append(words) }
            heard.signal()
        }
        let trial = WritingTrial(hear: hear) { disk.attempt($0) }
        for _ in 1...5 { trial.begin(generation: 0) }
        #expect(Self.comes(disk.entered))
        for _ in 1...5 { trial.begin(generation: 0) }
        #expect(trial.silence.hasPrefix("the documents directory /d does not answer"))
        // One that has just begun is waited for.
        #expect(!trial.takesOver {})
        disk.answer()
        #expect(Self.comes(heard))
        #expect(said.withLock { $0 } == ["read-only"] && disk.tries.withLock { $0 } == 1)
        trial.begin(generation: 0)
        disk.answer()
        #expect(Self.comes(heard) && disk.tries.withLock { $0 } == 2)
    }

    @Test(
        "A try of directories that are no longer there is given up, and says nothing when it comes back",
        .ownThread
    )
    func givenUp() {
        let (disk, heard) = (Disk(), DispatchSemaphore(value: 0))
        let said = Mutex<[String?]>([])
        let hear = { @Sendable (words: String?) in
            said.withLock { $0.append(words) }
            heard.signal()
        }
        let trial = WritingTrial(hear: hear) { disk.attempt($0) }
        trial.begin(generation: 3)
        #expect(Self.comes(disk.entered))
        trial.giveUp(before: 3)
        #expect(said.withLock { $0.isEmpty })
        trial.giveUp(before: 4)
        trial.giveUp(before: 5)
        #expect(said.withLock { $0 } == [nil])
        // Another thread tries what is there now.
        trial.begin(generation: 4)
        #expect(Self.comes(disk.entered))
        #expect(said.withLock { $0 } == [nil] && disk.tries.withLock { $0 } == 2)
        for _ in 1...2 { disk.answer() }
        for _ in 1...2 { #expect(Self.comes(heard)) }
        #expect(said.withLock { $0 } == [nil, "read-only"])
    }

    @Test("A try that doesn't come back is begun anew on other threads, but only on a few", .ownThread)
    func anew() {
        let (disk, heard) = (Disk(), DispatchSemaphore(value: 0))
        let said = Mutex<[String?]>([])
        let hear = { @Sendable (words: String?) in
            said.withLock { $0.append(words) }
            heard.signal()
        }
        let trial = WritingTrial(hear: hear) { disk.attempt($0) }
        for _ in 1...9 { trial.begin(generation: 3, anew: true) }
        for _ in 1...WritingTrial.mostThreads { #expect(Self.comes(disk.entered)) }
        #expect(disk.tries.withLock { $0 } == WritingTrial.mostThreads)
        // Where all of them hang at what is no longer there, nothing is known.
        trial.giveUp(before: 4)
        trial.begin(generation: 4)
        #expect(said.withLock { $0 } == [nil, nil] && disk.tries.withLock { $0 } == WritingTrial.mostThreads)
        for _ in 1...2 { #expect(Self.comes(heard)) }
        for _ in 1...WritingTrial.mostThreads { disk.answer() }
        let end = DispatchTime.now() + .seconds(60)
        while disk.tries.withLock({ $0 }) == WritingTrial.mostThreads, DispatchTime.now() < end {
            trial.begin(generation: 4)
        }
        #expect(Self.comes(disk.entered))
        disk.answer()
        while said.withLock({ $0.last }) != "read-only", Self.comes(heard) {}
        #expect(said.withLock { $0.filter { $0 == "read-only" }.count } == 1)
    }

    /// A disk that answers each try by itself.
    private final class SlowDisk: Sendable {
        private let tries = Mutex<[(answer: DispatchSemaphore, refusal: String?)]>([])
        let entered = DispatchSemaphore(value: 0)
        let seconds = Mutex<UInt64>(0)

        func attempt() -> String? {
            let (number, gate) = tries.withLock { tries in
                tries.append((DispatchSemaphore(value: 0), nil))
                return (tries.count - 1, tries[tries.count - 1].answer)
            }
            entered.signal()
            gate.wait()
            return tries.withLock { $0[number].refusal }
        }

        func answer(try number: Int, _ refusal: String?) {
            tries.withLock { tries in
                tries[number].refusal = refusal
                tries[number].answer.signal()
            }
        }

        var now: UInt64 { seconds.withLock { $0 * 1_000_000_000 } }
    }

    @Test("While a disk that hangs is tried anew, others keep away from it as before", .ownThread)
    func stillLate() {
        let disk = SlowDisk()
        let trial = WritingTrial(now: { disk.now }) { _ in disk.attempt() }
        trial.begin(generation: 0)
        #expect(Self.comes(disk.entered))
        #expect(!trial.takesOver {})
        disk.seconds.withLock { $0 = 4 }
        #expect(trial.takesOver {})
        trial.begin(generation: 0, anew: true)
        #expect(Self.comes(disk.entered))
        #expect(trial.takesOver {}, "a new try makes no disk answer")
        for number in 0...1 { disk.answer(try: number, "read-only") }
    }

    @Test("That something could be written is believed, whichever try says so", .ownThread)
    func earlierSuccess() {
        let (disk, heard) = (SlowDisk(), DispatchSemaphore(value: 0))
        let said = Mutex<[String?]>([])
        let hear = { @Sendable (words: String?) in
            said.withLock { $0.append(words) }
            heard.signal()
        }
        let trial = WritingTrial(now: { disk.now }, hear: hear) { _ in disk.attempt() }
        for _ in 0...1 {
            trial.begin(generation: 0, anew: true)
            #expect(Self.comes(disk.entered))
        }
        disk.answer(try: 0, nil)
        #expect(Self.comes(heard))
        #expect(said.withLock { $0 } == [nil])
        // The later try has nothing more to say.
        disk.answer(try: 1, "read-only")
        trial.begin(generation: 0)
        #expect(Self.comes(disk.entered))
        disk.answer(try: 2, "full")
        #expect(Self.comes(heard))
        #expect(said.withLock { $0 } == [nil, "full"])
    }

    @Test("What a kill in the middle of a try has left goes with the next start")
    func left() throws {
        let fixture = try DocumentStoreFixture()
        let name = "documents/.facefetch-trial-\(geteuid())"
        try fixture.directory.write([1], to: name)
        try fixture.restart()
        #expect(access(fixture.directory.path(name), F_OK) != 0)
    }
}
