import CSandbox
import Glibc

/// The sandbox that this process closes around itself before it opens a page.
///
/// Pages are not read here but by processes in a tighter sandbox (see ``ForkServer``).
struct Sandbox {
    /// The files and directories that may be read.
    var readable: [String]

    /// Closes the sandbox for good.
    func close() throws {
        guard CSandbox_no_new_privileges() == 0 else { throw failure("no_new_privs") }
        // Enough memory to hold an answer until its reader has ended successfully.
        var limits = CSandboxLimits(further_memory: 3 << 30, cpu_seconds: 24 * 3600, files: 64)
        guard CSandbox_limit(&limits) == 0 else { throw failure("resource limits") }
        guard CSandbox_threads() == 1 else {
            throw SandboxFailure("the sandbox can't be closed: other threads run")
        }
        let strings = readable.compactMap { strdup($0) }
        defer { for string in strings { free(string) } }
        let version = strings.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
            CSandbox_landlock(paths.baseAddress, paths.count, nil)
        }
        guard version >= 0 else { throw failure("Landlock") }
        guard CSandbox_filter(false) == 0 else { throw failure("seccomp") }
    }

    private func failure(_ part: String) -> SandboxFailure {
        SandboxFailure("the sandbox can't be closed: \(part): \(String(cString: strerror(errno)))")
    }
}
