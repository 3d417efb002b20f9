import ExportFormats
import Testing

@testable import Receivers

/// Tests of which sidecar is written when.
struct SidecarMachineTests {
    private static func page(
        _ numbers: ClosedRange<Int64>?,
        hasMore: Bool = false,
        newest: Int64
    ) -> FollowedPage<SidecarItem> {
        let items = (numbers.map(Array.init) ?? []).map {
            SidecarItem(number: $0, job: ExportedJob(id: $0))
        }
        return FollowedPage(items: items, total: items.count + (hasMore ? 1 : 0), oldest: 0, newest: newest)
    }

    private static func item(_ number: Int64) -> SidecarMachine.Step {
        .put(SidecarItem(number: number, job: ExportedJob(id: number)))
    }

    @Test("The first time it begins with what comes next, and keeps where that is before anything else")
    func begins() {
        var machine = SidecarMachine()
        machine.somethingEnded()
        #expect(machine.next(now: 0) == .rest)
        machine.begin()
        #expect(machine.next(now: 0) == .load)
        machine.loaded(nil)
        #expect(machine.next(now: 0) == .read(after: nil))
        #expect(machine.next(now: 0) == .rest)
        machine.read(Self.page(nil, newest: 7), now: 0)
        #expect(machine.next(now: 0) == .keep(7))
        machine.kept(7)
        #expect(machine.next(now: 0) == .read(after: 7))
        machine.read(Self.page(nil, newest: 7), now: 0)
        #expect(machine.next(now: 0) == .rest)
    }

    @Test("Results are dealt with in order, and the number is kept only behind them")
    func inOrder() {
        var machine = SidecarMachine()
        machine.begin(after: 3)
        #expect(machine.next(now: 0) == .read(after: 3))
        machine.read(Self.page(4...5, hasMore: true, newest: 9), now: 0)
        #expect(machine.next(now: 0) == Self.item(4))
        machine.dealt()
        #expect(machine.next(now: 0) == Self.item(5))
        machine.dealt()
        #expect(machine.next(now: 0) == .keep(5))
        machine.kept(5)
        #expect(machine.next(now: 0) == .read(after: 5))
        machine.read(Self.page(9...9, newest: 9), now: 0)
        machine.dealt()
        machine.kept(9)
        #expect(machine.next(now: 0) == .rest)
    }

    @Test("What ends while the store is read is read again")
    func endsMeanwhile() {
        var machine = SidecarMachine()
        machine.begin(after: 3)
        #expect(machine.next(now: 0) == .read(after: 3))
        machine.somethingEnded()
        machine.read(Self.page(nil, newest: 3), now: 0)
        #expect(machine.next(now: 0) == .read(after: 3))
    }

    @Test("What fails is tried again after pauses that grow up to a minute, and the number stays before it")
    func waits() {
        var machine = SidecarMachine()
        machine.begin(after: 0)
        _ = machine.next(now: 0)
        machine.read(Self.page(1...1, newest: 1), now: 0)
        var now = 0.0
        for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(machine.next(now: now) == Self.item(1))
            machine.putOff(now: now)
            #expect(machine.next(now: now) == .wait(seconds: pause))
            now += pause
        }
        machine.dealt()
        machine.putOff(now: now)
        #expect(machine.next(now: now) == .wait(seconds: 1))
        machine.goOn()
        #expect(machine.next(now: now) == .keep(1))
    }

    @Test("A store that can't be read is asked again; one whose numbers begin anew is read from its oldest")
    func stores() {
        var machine = SidecarMachine()
        machine.begin(after: 50)
        #expect(machine.next(now: 0) == .read(after: 50))
        machine.read(nil, now: 0)
        #expect(machine.next(now: 0) == .wait(seconds: 1))
        #expect(machine.next(now: 1) == .read(after: 50))
        machine.read(Self.page(nil, newest: 4), now: 1)
        #expect(machine.next(now: 1) == .keep(0))
        machine.kept(0)
        #expect(machine.next(now: 1) == .read(after: 0))
    }

    @Test("Switched off it does nothing, and what it was about to hear is no news when it is on again")
    func off() {
        var machine = SidecarMachine()
        machine.begin(after: 3)
        _ = machine.next(now: 0)
        machine.end()
        machine.read(Self.page(4...5, newest: 5), now: 0)
        #expect(machine.next(now: 0) == .rest && !machine.isOn && machine.cursor == nil)
        machine.begin(after: nil)
        #expect(machine.next(now: 0) == .read(after: nil))
    }

    @Test("What was kept is waited for where it can't be read, and nothing is read of the store before")
    func unreadable() {
        var machine = SidecarMachine()
        machine.begin()
        machine.putOff(now: 0)
        machine.somethingEnded()
        #expect(machine.next(now: 0) == .wait(seconds: 1))
        #expect(machine.next(now: 1) == .load)
        machine.loaded(7)
        #expect(machine.next(now: 1) == .read(after: 7))
    }
}

extension SidecarMachine {
    /// Begins with what was kept.
    fileprivate mutating func begin(after kept: Int64?) {
        begin()
        loaded(kept)
    }
}
