import CSandbox
import Glibc

/// The most that a process may take.
public struct ProcessLimits: Sendable {
    /// The bytes of address space beyond those in use when the limits are set.
    public var furtherMemory: UInt64
    /// The seconds of processor time, for all inputs together.
    public var cpuSeconds: UInt64
    /// The number of open files.
    public var files: UInt64

    public init(furtherMemory: UInt64, cpuSeconds: UInt64, files: UInt64 = 64) {
        self.furtherMemory = furtherMemory
        self.cpuSeconds = cpuSeconds
        self.files = files
    }

    /// Sets the limits for this process, for good.
    public func set() throws(SandboxFailure) {
        var limits = asC
        guard CSandbox_limit(&limits) == 0 else { throw SandboxFailure(part: "resource limits") }
    }

    var asC: CSandboxLimits {
        CSandboxLimits(further_memory: furtherMemory, cpu_seconds: cpuSeconds, files: files)
    }
}

/// The sandbox that a process closes around itself once everything is loaded and before it opens what strangers
/// have written.
///
/// That isn't read here but by processes in a tighter sandbox (see ``ForkServer``).
public struct Sandbox {
    private let role: ChildRole
    private let limits: ProcessLimits
    private let readable: [String]
    private let writable: String?
    private let requireLandlock: Bool

    /// Describes a sandbox.
    ///
    /// - Parameters:
    ///   - role: The words for this process's children.
    ///   - limits: What this process may take.
    ///   - readable: The files and directories that may be read.
    ///   - writable: The directory for new files, if there is one.
    ///   - requireLandlock: Whether a kernel without Landlock is an error.
    public init(
        _ role: ChildRole,
        limits: ProcessLimits,
        readable: [String],
        writable: String? = nil,
        requireLandlock: Bool
    ) {
        self.role = role
        self.limits = limits
        self.readable = readable
        self.writable = writable
        self.requireLandlock = requireLandlock
    }

    /// Closes the sandbox for good.
    public func close() throws(SandboxFailure) {
        try Self.denyPrivileges()
        try limits.set()
        let threads = CSandbox_threads()
        guard threads == 1 else {
            throw SandboxFailure("the sandbox can't be set up: \(threads) threads are running already")
        }
        let version = try Self.restrict(readable: readable, writable: writable)
        try role.check(landlock: version, isRequired: requireLandlock)
        guard CSandbox_filter(writable != nil) == 0 else { throw SandboxFailure(part: "seccomp") }
    }

    /// Sees to it that no program that this process might start gains privileges.
    public static func denyPrivileges() throws(SandboxFailure) {
        guard CSandbox_no_new_privileges() == 0 else { throw SandboxFailure(part: "no_new_privs") }
    }

    /// Applies Landlock, which only restricts the calling thread, so there must be no other.
    ///
    /// Returns the kernel's version of it; 0 for none.
    @discardableResult
    public static func restrict(
        readable: [String],
        writable: String? = nil
    ) throws(SandboxFailure) -> Int32 {
        let strings = readable.compactMap { strdup($0) }
        defer { for string in strings { free(string) } }
        let version = strings.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
            CSandbox_landlock(paths.baseAddress, paths.count, writable)
        }
        guard version >= 0 else { throw SandboxFailure(part: "Landlock") }
        return version
    }
}
