import CSandbox
import Glibc

/// Tries what the sandboxes should refuse: first that of a child, with a new one for each attempt, then that of
/// this process.
public struct SandboxCheck {
    private let inside: String

    /// Creates a check with a file that may be read, and that may be lost if the sandbox fails.
    public init(inside: String) { self.inside = inside }

    /// The work of each child: one attempt, whose result it reports.
    public func work(limits: ProcessLimits) -> ForkServer.Work {
        ForkServer.Work(limits: limits, context: UnsafeRawPointer(strdup(inside))) { file, _, output, probe in
            guard let file else { return 1 }
            var cause = CSandbox_probe(Int(probe), file.assumingMemoryBound(to: CChar.self))
            return withUnsafeBytes(of: &cause) { write(output, $0.baseAddress, $0.count) } > 0 ? 0 : 1
        }
    }

    /// Prints a line for each attempt; returns whether everything was refused that should be, and nothing else.
    ///
    /// `lost` says what is wrong with the way in which a child has ended; nil if nothing is.
    public func run(
        _ server: ForkServer,
        in sandbox: Sandbox,
        requireLandlock: Bool,
        lost: (ChildEnding) -> String?
    ) throws(SandboxFailure) -> Bool {
        guard OwnProcess.dieWithParent() else { throw SandboxFailure("who has asked for this is gone") }
        try server.awaitReady(requireLandlock: requireLandlock)
        try sandbox.close()
        for warning in server.warnings { Streams.say(warning, to: STDERR_FILENO) }
        let input = open(inside, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw SandboxFailure("\(inside) can't be read: \(Self.words(errno))") }
        defer { close(input) }
        var holds = true
        for probe in 0..<CSandbox_probe_count() {
            let isHarmless = CSandbox_probe_is_harmless(probe)
            guard isHarmless || CSandbox_probe_is_for_decoder(probe) else { continue }
            let name = Self.name(probe, server.role)
            let answer = try Self.attempt(probe, server, input)
            if let lost = lost(answer.ending) {
                holds = holds && !isHarmless
                Streams.say("\(server.role.child) lost: \(name) (\(lost))", to: STDOUT_FILENO)
            } else if let cause = answer.result {
                holds = holds && (cause == 0) == isHarmless
                let words = Self.words(of: name, cause, isHarmless) + Self.counts(answer.ending)
                Streams.say("\(server.role.child) \(words)", to: STDOUT_FILENO)
            } else {
                holds = holds && !isHarmless
                Streams.say("\(server.role.child) said nothing: \(name)", to: STDOUT_FILENO)
            }
        }
        for probe in 0..<CSandbox_probe_count() where CSandbox_probe_is_for_looker(probe) {
            let cause = CSandbox_probe(probe, inside)
            holds = holds && cause != 0
            Streams.say(Self.words(of: Self.name(probe, server.role), cause, false), to: STDOUT_FILENO)
        }
        return holds
    }

    /// Has a child make one attempt; returns the errno with which it was refused, 0 for success, nil if it said
    /// nothing.
    private static func attempt(
        _ probe: Int,
        _ server: ForkServer,
        _ input: Int32
    ) throws(SandboxFailure) -> (result: Int32?, ending: ChildEnding) {
        do throws(ForkServer.Unavailable) {
            return try server.run(input: input, order: UInt32(probe)) { output in
                let bytes = Streams.read(MemoryLayout<Int32>.size, from: output)
                return bytes?.withUnsafeBytes { $0.load(as: Int32.self) }
            }
        } catch {
            switch error {
            case .child(let cause), .server(let cause):
                throw SandboxFailure("no \(server.role.child) can be started: \(words(cause))")
            }
        }
    }

    private static func words(of name: String, _ cause: Int32, _ isHarmless: Bool) -> String {
        guard cause == 0 else { return "refused: \(name) (\(words(cause)))" }
        return "\(isHarmless ? "allowed" : "ALLOWED"): \(name)"
    }

    private static func counts(_ ending: ChildEnding) -> String {
        [(ending.refusedOpens, "open"), (ending.refusedThreads, "thread")].map { count, what in
            count == 0 ? "" : ", \(count) \(what)\(count == 1 ? "" : "s") counted"
        }.joined()
    }

    private static func name(_ probe: Int, _ role: ChildRole) -> String {
        String(cString: CSandbox_probe_name(probe)).replacing("the picture", with: "the \(role.input)")
    }

    private static func words(_ cause: Int32) -> String { String(cString: strerror(cause)) }
}
