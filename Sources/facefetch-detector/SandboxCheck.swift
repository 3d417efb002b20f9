import ArgumentParser
import CSandbox
import FaceDetection
import Glibc

/// Tries what the sandboxes should refuse: first that of a process that decodes, with a new process for
/// each attempt, then that of this process.
struct SandboxCheck {
    /// A file that may be read, and that may be lost if the sandbox fails.
    let inside: String

    /// Prints a line for each attempt; exits with 1 if any was allowed.
    func run(limit: Duration, requireLandlock: Bool) throws {
        guard let path = strdup(inside) else { throw ExitCode(1) }
        // Instead of decoding, each process makes one attempt and reports the result.
        let forkServer = try ForkServer(limit: limit, context: path) { path, _, output, probe in
            guard let path else { return 1 }
            let inside = path.assumingMemoryBound(to: CChar.self)
            var cause = CSandbox_probe(Int(probe), inside)
            return withUnsafeBytes(of: &cause) { write(output, $0.baseAddress, $0.count) } > 0 ? 0 : 1
        }
        guard CSandbox_die_with(getppid()) == 0 else { throw ExitCode(1) }
        try forkServer.awaitReady(requireLandlock: requireLandlock)
        try Sandbox(readable: [inside], requireLandlock: requireLandlock).close()
        for warning in forkServer.warnings { StandardStreams.write(warning + "\n", to: STDERR_FILENO) }

        var complete = true
        for probe in 0..<CSandbox_probe_count() where CSandbox_probe_is_for_decoder(probe) {
            let outcome = try attempt(probe, forkServer)
            complete = complete && !outcome.hasPrefix("ALLOWED")
            say("decoder \(outcome)")
        }
        for probe in 0..<CSandbox_probe_count() where CSandbox_probe_is_harmless(probe) {
            let outcome = try attempt(probe, forkServer)
            complete = complete && outcome.hasPrefix("ALLOWED")
            say("decoder \(outcome.replacing("ALLOWED", with: "allowed"))")
        }
        for probe in 0..<CSandbox_probe_count() where CSandbox_probe_is_for_looker(probe) {
            let outcome = Self.describe(probe, CSandbox_probe(probe, inside))
            complete = complete && !outcome.hasPrefix("ALLOWED")
            say(outcome)
        }
        let still = open(inside, O_RDONLY | O_CLOEXEC)
        say(still < 0 ? "REFUSED: read inside" : "allowed: read inside")
        guard complete, still >= 0 else { throw ExitCode(1) }
    }

    /// Has a process make one attempt.
    private func attempt(_ probe: Int, _ forkServer: ForkServer) throws -> String {
        let input = try PictureDecoder.open(path: inside)
        defer { close(input) }
        do {
            let size = MemoryLayout<Int32>.size
            let answer = try forkServer.run(input: input, order: UInt32(probe)) { output in
                StandardStreams.read(size, from: output)?.withUnsafeBytes { $0.load(as: Int32.self) }
            }
            guard let cause = answer.result else { return "said nothing: \(Self.name(probe))" }
            let counted = [(answer.ending.refused_opens, "open"), (answer.ending.refused_threads, "thread")]
                .map { count, what in count == 0 ? "" : ", \(count) \(what)\(count == 1 ? "" : "s") counted" }
            return Self.describe(probe, cause) + counted.joined()
        } catch let lost as LostDecoder {
            return "lost: \(Self.name(probe)) (\(lost))"
        }
    }

    private static func name(_ probe: Int) -> String { String(cString: CSandbox_probe_name(probe)) }

    private static func describe(_ probe: Int, _ cause: Int32) -> String {
        cause == 0
            ? "ALLOWED: \(name(probe))" : "refused: \(name(probe)) (\(String(cString: strerror(cause))))"
    }

    private func say(_ line: String) { StandardStreams.write(line + "\n", to: STDOUT_FILENO) }
}
