import Glibc
import Synchronization
import Testing

@testable import Children

/// Children that are shell scripts, and say a line at a time.
@Suite(.timeLimit(.minutes(2))) struct ChildTests {
    private struct Lines: ChildSpeech {
        private var bytes: [UInt8] = []

        mutating func append(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

        mutating func next() throws(Misbehaviour) -> String? {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let line = String(decoding: bytes[..<end], as: UTF8.self)
            bytes.removeFirst(end + 1)
            if line == "nonsense" { throw Misbehaviour("nonsense") }
            return line
        }
    }

    /// What is heard of a child.
    private final class Heard: Sendable {
        private let state = Mutex((said: [String](), complaints: [String](), misbehaviours: [String]()))

        var said: [String] { state.withLock { $0.said } }
        var complaints: [String] { state.withLock { $0.complaints } }
        var misbehaviours: [String] { state.withLock { $0.misbehaviours } }

        func say(_ line: String) { state.withLock { $0.said.append(line) } }
        func complain(_ line: String) { state.withLock { $0.complaints.append(line) } }
        func misbehave(_ what: Misbehaviour) { state.withLock { $0.misbehaviours.append("\(what)") } }
    }

    private let heard = Heard()

    private func child(_ script: String) -> Child<Lines> {
        Child(ChildProgram("/bin/sh", ["-c", script]), Lines(), hear: heard.complain)
    }

    private func outcome(
        of child: Child<Lines>,
        _ said: @escaping @Sendable (String) throws(Misbehaviour) -> Void = { _ in }
    ) async -> ChildOutcome {
        await child.run { [heard] line throws(Misbehaviour) in
            heard.say(line)
            try said(line)
        } misbehaved: { [heard] what in
            heard.misbehave(what)
        }
    }

    @Test("It gets what is sent in order, also before it has started, and ends once it has answered")
    func finished() async {
        let child = child("cat; echo done >&2; exit 3")
        child.send(Array("a\n".utf8))
        child.send(Array("b\n".utf8))
        child.finish()
        #expect(await outcome(of: child) == .finished(.exited(3)))
        #expect(heard.said == ["a", "b"] && heard.complaints == ["done"] && heard.misbehaviours == [])
    }

    @Test("One that reads nothing is killed all the same, and so is one that takes too long")
    func killed() async {
        let deaf = child("echo up; exec sleep 1000")
        deaf.send([UInt8](repeating: 0, count: 1 << 20))
        #expect(await outcome(of: deaf) { _ in deaf.kill() } == .killed)
        let slow = child("exec sleep 1000")
        let isLate = Mutex(false)
        let limit = slow.limit(.milliseconds(1)) { isLate.withLock { $0 = true } }
        #expect(await outcome(of: slow) == .killed)
        await limit.value
        #expect(isLate.withLock { $0 })
    }

    @Test("One that ends by itself, or can't be started, is told of as it ended")
    func unexpected() async {
        #expect(await outcome(of: child("kill -SEGV $$")) == .unexpected(.signalled(SIGSEGV)))
        #expect(await outcome(of: child("exit 75")) == .unexpected(.exited(75)))
        let none = Child(ChildProgram("/none", []), Lines(), hear: heard.complain)
        guard case .unexpected(.notStarted(let reason)) = await outcome(of: none) else {
            Issue.record("what isn't there was started")
            return
        }
        #expect(reason.hasPrefix("/none can't be run: "))
    }

    @Test("What is sent to one that reads no more is lost, and nobody dies of it")
    func deaf() async {
        let child = child("exec <&-; echo up; exit 0")
        let end = await outcome(of: child) { _ in
            // More than a pipe holds: nobody reads the first, and all are written at once.
            for _ in 0..<3 { child.send([UInt8](repeating: 0, count: 1 << 17)) }
            child.finish()
        }
        #expect(end == .finished(.exited(0)) || end == .unexpected(.exited(0)))
        var action = sigaction()
        #expect(sigaction(SIGPIPE, nil, &action) == 0)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #expect(handler == unsafeBitCast(SIG_IGN, to: Int.self))
    }

    @Test("What makes no sense ends it, and nothing that it says afterwards is heard")
    func misbehaved() async {
        let script = "echo a; echo nonsense; echo b; exec sleep 1000"
        #expect(await outcome(of: child(script)) == .misbehaved(Misbehaviour("nonsense")))
        #expect(heard.said == ["a"] && heard.misbehaviours == ["nonsense"])
    }

    @Test("What makes no sense to whoever has asked ends it, too")
    func disbelieved() async {
        let end = await outcome(of: child("echo a; echo b; exec sleep 1000")) { line throws(Misbehaviour) in
            throw Misbehaviour("\(line) is nothing")
        }
        #expect(end == .misbehaved(Misbehaviour("a is nothing")))
        #expect(heard.said == ["a"] && heard.misbehaviours == ["a is nothing"])
    }

    @Test("A flood on standard error ends it, unless it was asked again meanwhile")
    func flood() async {
        let flood = Misbehaviour("a flood on standard error")
        #expect(await outcome(of: child("yes >&2; exit")) == .misbehaved(flood))
        let most = "head -c 800000 /dev/zero >&2"
        let talker = child("\(most); echo; read line; \(most); echo; read line; exit 0")
        let end = await outcome(of: talker) { _ in talker.send([UInt8(ascii: "\n")]) }
        #expect(end == .unexpected(.exited(0)))
    }
}
