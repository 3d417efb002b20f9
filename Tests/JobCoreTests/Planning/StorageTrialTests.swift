import Testing

@testable import JobCore
@testable import JobModel

@Suite("The trial of directories that may not be written to, or not answer")
struct StorageTrialTests {
    private let start = Moment(microseconds: 1_795_243_503_000_000)

    @Test("Nothing is tried without a doubt, and a doubt is open until a try has come back")
    func doubt() {
        var trial = StorageTrial()
        let idle = trial.begins(now: start)
        #expect(!idle && !trial.isOpen(now: start) && trial.decidesAt(now: start) == nil)
        trial.doubt()
        #expect(trial.isOpen(now: start) && trial.decidesAt(now: start) == start)
        let (begins, again) = (trial.begins(now: start), trial.begins(now: start))
        #expect(begins && !again, "one at a time")
        #expect(trial.isOpen(now: start))
        trial.answered(nil, now: start.adding(seconds: 1))
        #expect(!trial.isOpen(now: start.adding(seconds: 1)) && trial.refusal == nil)
        #expect(trial.decidesAt(now: start) == nil)
    }

    @Test("A doubt that comes while a try is under way needs another one: that may have been before it")
    func meanwhile() {
        var trial = StorageTrial()
        trial.doubt()
        let first = trial.begins(now: start)
        trial.doubt()
        trial.answered(nil, now: start)
        #expect(trial.isOpen(now: start))
        let second = trial.begins(now: start)
        #expect(first && second)
        trial.answered("read-only", now: start)
        #expect(!trial.isOpen(now: start) && trial.refusal == "read-only")
    }

    @Test(
        "While nothing can be written it is tried after a second, then less often, and the refusal stands until a try says otherwise"
    )
    func refused() {
        var trial = StorageTrial()
        trial.doubt()
        var begun = trial.begins(now: start)
        trial.answered("read-only", now: start)
        #expect(begun && trial.decidesAt(now: start) == start.adding(seconds: 1))
        begun = trial.begins(now: start.adding(seconds: 0.9))
        #expect(!begun)
        begun = trial.begins(now: start.adding(seconds: 1))
        #expect(begun && trial.refusal == "read-only" && !trial.isOpen(now: start.adding(seconds: 1)))
        var now = start.adding(seconds: 1)
        for wait in [2.0, 4, 8, 16, 30, 30] {
            trial.answered("read-only", now: now)
            #expect(trial.decidesAt(now: now) == now.adding(seconds: wait))
            now = now.adding(seconds: wait)
            begun = trial.begins(now: now)
            #expect(begun)
        }
        trial.answered(nil, now: now)
        begun = trial.begins(now: now.adding(seconds: 9))
        #expect(trial.refusal == nil && !begun)
        trial.doubt()
        _ = trial.begins(now: now)
        trial.answered("read-only", now: now)
        #expect(trial.decidesAt(now: now) == now.adding(seconds: 1), "it is forgotten")
    }

    @Test("A try that doesn't come back isn't waited for, nor repeated; once it does, that counts")
    func silent() {
        var trial = StorageTrial()
        trial.doubt()
        var begun = trial.begins(now: start)
        let slow = start.adding(seconds: StorageTrial.slowness)
        #expect(begun && trial.decidesAt(now: start) == slow)
        let late = start.adding(seconds: StorageTrial.patience)
        #expect(!trial.isSlow(now: start) && trial.isSlow(now: slow) && !trial.isSilent(now: slow))
        #expect(trial.decidesAt(now: slow) == late)
        #expect(trial.isOpen(now: late.adding(seconds: -0.001)) && !trial.isSilent(now: start))
        #expect(trial.isSilent(now: late) && !trial.isOpen(now: late))
        #expect(trial.decidesAt(now: late) == start.adding(seconds: StorageTrial.renewal))
        trial.doubt()
        begun = trial.begins(now: late.adding(seconds: 86_400))
        #expect(!begun && !trial.isOpen(now: late))
        trial.answered(nil, now: late.adding(seconds: 86_401))
        #expect(!trial.isSilent(now: late.adding(seconds: 86_401)))
        begun = trial.begins(now: late.adding(seconds: 86_401))
        #expect(begun, "what was doubted meanwhile is tried")
    }

    @Test("Beside a try that doesn't come back others are begun, a few in all, until one does")
    func renewed() {
        var trial = StorageTrial()
        trial.doubt()
        var begun = trial.begins(now: start)
        var moments: [Double] = []
        for second in 0...7200 where trial.renews(now: start.adding(seconds: Double(second))) {
            moments.append(Double(second))
        }
        #expect(begun && moments == [1, 5, 21].map { $0 * StorageTrial.renewal })
        let late = start.adding(seconds: 7200)
        #expect(trial.isSilent(now: late) && trial.decidesAt(now: late) == nil)
        trial.answered(nil, now: late)
        trial.doubt()
        begun = trial.begins(now: late)
        let early = trial.renews(now: late.adding(seconds: StorageTrial.renewal - 1))
        let due = trial.renews(now: late.adding(seconds: StorageTrial.renewal))
        #expect(begun && !early && due)
    }

    @Test("Work of which there is no word is tried once; a word ends that")
    func quiet() {
        var trial = StorageTrial()
        trial.gave(now: start)
        trial.gave(now: start.adding(seconds: 5))
        let due = start.adding(seconds: StorageTrial.quiet)
        #expect(trial.decidesAt(now: start) == due && !trial.isOpen(now: due))
        trial.heard()
        var begun = trial.begins(now: due)
        #expect(!begun)
        trial.gave(now: start)
        begun = trial.begins(now: due)
        #expect(begun)
        trial.answered(nil, now: due)
        #expect(trial.decidesAt(now: due) == nil)
    }
}
