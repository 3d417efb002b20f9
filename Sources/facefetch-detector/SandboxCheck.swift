import ArgumentParser
import CSandbox
import Glibc

/// Closes the sandbox, then tries what it should refuse.
struct SandboxCheck {
    /// A file that may be read, and that may be lost where the sandbox fails.
    let inside: String

    /// Prints a line for each attempt; ends with 1 where one was allowed.
    func run(requireLandlock: Bool) throws {
        let parent = getppid()
        guard CSandbox_die_with(parent) == 0 else { throw ExitCode(1) }
        let warning = try Sandbox(readable: [inside], requireLandlock: requireLandlock).close()
        if let warning { StandardStreams.write(warning + "\n", to: STDERR_FILENO) }
        var complete = true
        for probe in 0..<CSandbox_probe_count() {
            let name = String(cString: CSandbox_probe_name(probe))
            let cause = CSandbox_probe(probe, inside)
            complete = complete && cause != 0
            let line =
                cause == 0 ? "ALLOWED: \(name)" : "refused: \(name) (\(String(cString: strerror(cause))))"
            StandardStreams.write(line + "\n", to: STDOUT_FILENO)
        }
        let still = open(inside, O_RDONLY | O_CLOEXEC)
        StandardStreams.write(
            still < 0 ? "REFUSED: read inside\n" : "allowed: read inside\n",
            to: STDOUT_FILENO
        )
        guard complete, still >= 0 else { throw ExitCode(1) }
    }
}
