import CSandbox
import Glibc
import Testing

@testable import Confinement

@Suite struct ChildEndingTests {
    private static let room: UInt64 = 3 << 30

    private func way(
        signal: Int32,
        held: UInt64 = 0,
        opens: UInt32 = 0,
        threads: UInt32 = 0
    ) -> ChildEnding.Way {
        var ending = CSandboxEnding()
        (ending.signal, ending.held, ending.room) = (signal, held, Self.room)
        (ending.refused_opens, ending.refused_threads) = (opens, threads)
        return ChildEnding(ending).way
    }

    @Test(
        "A crash is a lack of memory where much is held",
        arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT]
    )
    func memory(_ signal: Int32) {
        #expect(way(signal: signal, held: Self.room / 6) == .tooMuchMemory)
        #expect(way(signal: signal, held: Self.room / 6 - 1) == .signal(signal))
    }

    @Test("What hides behind much memory is told all the same")
    func hidden() {
        #expect(way(signal: SIGSEGV, held: Self.room, opens: 1) == .signal(SIGSEGV))
        #expect(way(signal: SIGSEGV, held: Self.room, threads: 1) == .signal(SIGSEGV))
        #expect(way(signal: SIGSYS, held: Self.room) == .forbiddenCall)
        // By whoever killed it, such as the kernel where the machine has no memory left.
        #expect(way(signal: SIGKILL, held: Self.room) == .signal(SIGKILL))
    }

    @Test("The signal of a lack of memory isn't lost, that of the end of its time is ours")
    func signal() {
        var ending = CSandboxEnding()
        (ending.signal, ending.held, ending.room) = (SIGBUS, Self.room, Self.room)
        #expect(ChildEnding(ending).signal == SIGBUS)
        (ending.signal, ending.timed_out, ending.refused_opens) = (SIGKILL, true, 1)
        #expect(ChildEnding(ending).signal == nil && ChildEnding(ending).wasRefused)
    }

    @Test("The end of processor time is that of its time")
    func processor() { #expect(way(signal: SIGXCPU, held: Self.room) == .timedOut) }
}
