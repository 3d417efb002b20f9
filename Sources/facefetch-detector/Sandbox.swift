import ArgumentParser
import CSandbox
import FaceDetection
import Glibc

/// The sandbox that this process enters once everything is loaded and before it opens a picture.
///
/// Decoding isn't done here but by processes in a tighter sandbox (see ``ForkServer``).
struct Sandbox {
    /// The limits of each process here: room for a picture of 1 GiB that has to be held whole, and CPU time
    /// for more pictures than the daemon gives to one process, also where each gets all looks.
    static let limits = CSandboxLimits(further_memory: 3 << 30, cpu_seconds: 36_000, files: 64)
    /// A notice for kernels without Landlock.
    static let withoutLandlock =
        "this kernel has no Landlock; pictures are decoded with the rest of the sandbox"

    /// The files and directories that may be read.
    var readable: [String]
    /// The directory for new files.
    var writable: String?
    /// True if a kernel without Landlock is an error.
    var requireLandlock: Bool

    /// Closes the sandbox for good.
    func close() throws {
        guard CSandbox_no_new_privileges() == 0 else { throw failure("no_new_privs") }
        var limits = Self.limits
        guard CSandbox_limit(&limits) == 0 else { throw failure("resource limits") }
        try landlock()
        guard CSandbox_filter(writable != nil) == 0 else { throw failure("seccomp") }
    }

    /// Applies Landlock, which only restricts the calling thread, so there must be no other.
    private func landlock() throws {
        let threads = CSandbox_threads()
        guard threads == 1 else {
            throw SandboxFailure("the sandbox can't be set up: \(threads) threads are running already")
        }
        let strings = readable.compactMap { strdup($0) }
        defer { for string in strings { free(string) } }
        let version = strings.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
            CSandbox_landlock(paths.baseAddress, paths.count, writable)
        }
        guard version >= 0 else { throw failure("Landlock") }
        try Self.check(landlock: version, isRequired: requireLandlock)
    }

    /// Throws if Landlock is missing but required.
    static func check(landlock version: Int32, isRequired: Bool) throws {
        guard version > 0 || !isRequired else {
            throw SandboxFailure(
                "this kernel has no Landlock; enable it (lsm=landlock,…), or leave out --require-landlock "
                    + "and copies (--annotate, --crops, --redact)"
            )
        }
    }

    private func failure(_ part: String) -> SandboxFailure {
        SandboxFailure("the sandbox can't be set up: \(part): \(String(cString: strerror(errno)))")
    }

    /// Executes this program again if libraries have started threads while they were loaded, as OpenBLAS
    /// does by default.
    static func ensureOneThread() {
        guard CSandbox_threads() > 1, getenv("OPENBLAS_NUM_THREADS") == nil else { return }
        setenv("OPENBLAS_NUM_THREADS", "1", 1)
        setenv("OMP_NUM_THREADS", "1", 1)
        _ = CSandbox_start_anew(CommandLine.unsafeArgv)
    }
}

/// The reason why the sandbox could not be set up.
///
/// Nothing is decoded without it.
struct SandboxFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
