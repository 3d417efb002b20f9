import ArgumentParser
import CSandbox
import Glibc

/// Tries what the sandboxes should refuse: first that of a process that reads a page, with a new process
/// for each attempt, then that of this process.
struct SandboxCheck {
    /// A file that may be read, and that may be lost if the sandbox fails.
    let inside: String

    /// The work of each process: one attempt, whose result it reports.
    static let body: @convention(c) (UnsafeRawPointer?, Int32, Int32, UInt32) -> Int32 = {
        file,
        _,
        output,
        probe in
        guard let file else { return 1 }
        var cause = CSandbox_probe(Int(probe), file.assumingMemoryBound(to: CChar.self))
        return withUnsafeBytes(of: &cause) { write(output, $0.baseAddress, $0.count) } > 0 ? 0 : 1
    }

    /// Prints a line for each attempt; exits with 1 if any was allowed.
    func run(limit: Duration, requireLandlock: Bool) throws {
        let forkServer = try ForkServer(.attempts(file: inside), limit: limit)
        guard CSandbox_die_with(getppid()) == 0 else { throw ExitCode(1) }
        try forkServer.awaitReady(requireLandlock: requireLandlock)
        try Sandbox(readable: [inside]).close()
        for warning in forkServer.warnings { Streams.say(warning, to: STDERR_FILENO) }
        let input = open(inside, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else {
            Streams.say("\(inside) can't be read: \(Self.words(errno))", to: STDERR_FILENO)
            throw ExitCode(1)
        }
        defer { close(input) }
        var holds = true
        for probe in 0..<CSandbox_probe_count() {
            let isHarmless = CSandbox_probe_is_harmless(probe)
            guard isHarmless || CSandbox_probe_is_for_decoder(probe) else { continue }
            let outcome = Self.outcome(of: probe, forkServer, input)
            holds = holds && outcome.isAllowed == isHarmless
            Streams.say("reader \(outcome.words)", to: STDOUT_FILENO)
        }
        for probe in 0..<CSandbox_probe_count() where CSandbox_probe_is_for_looker(probe) {
            let cause = CSandbox_probe(probe, inside)
            holds = holds && cause != 0
            Streams.say(Self.words(of: probe, cause), to: STDOUT_FILENO)
        }
        guard holds else { throw ExitCode(1) }
    }

    /// Has a process make one attempt.
    private static func outcome(
        of probe: Int,
        _ forkServer: ForkServer,
        _ input: Int32
    ) -> (isAllowed: Bool, words: String) {
        switch forkServer.attempt(probe, with: input) {
        case .failure(let lost): return (false, "lost: \(name(probe)) (\(lost.message))")
        case .success((nil, _)): return (false, "said nothing: \(name(probe))")
        case .success((let cause?, let ending)):
            let opens = ending.refused_opens == 0 ? "" : ", \(ending.refused_opens) opened files counted"
            return (cause == 0, words(of: probe, cause) + opens)
        }
    }

    private static func words(of probe: Int, _ cause: Int32) -> String {
        let isHarmless = CSandbox_probe_is_harmless(probe)
        guard cause == 0 else { return "refused: \(name(probe)) (\(words(cause)))" }
        return "\(isHarmless ? "allowed" : "ALLOWED"): \(name(probe))"
    }

    private static func name(_ probe: Int) -> String {
        String(cString: CSandbox_probe_name(probe)).replacing("the picture", with: "the page")
    }

    private static func words(_ cause: Int32) -> String { String(cString: strerror(cause)) }
}
