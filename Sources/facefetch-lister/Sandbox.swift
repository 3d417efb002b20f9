import CSandbox
import Glibc

/// What this process closes behind itself before it opens a page.
///
/// It doesn't read pages: that is done by processes whose sandbox is closer (see ``Nursery``).
struct Sandbox {
    /// Files and folders that may be read.
    var readable: [String]

    /// Closes the sandbox for good.
    func close() throws {
        guard CSandbox_no_new_privileges() == 0 else { throw failure("no_new_privs") }
        // An answer is held until its reader has ended well.
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
