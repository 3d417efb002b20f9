import CSandbox
import Glibc

/// Things that a process of ours does to itself beside its sandbox.
public enum OwnProcess {
    /// Gives everything else on the machine precedence, as far as the kernel lets it.
    public static func lowerPriority() { _ = CSandbox_lower_priority() }

    /// Has the kernel kill this process when its parent ends; returns false if that has happened already.
    public static func dieWithParent() -> Bool { CSandbox_die_with(getppid()) == 0 }

    /// Executes this program again if libraries have started threads while they were loaded, as OpenBLAS
    /// does by default.
    public static func ensureOneThread() {
        guard CSandbox_threads() > 1, getenv("OPENBLAS_NUM_THREADS") == nil else { return }
        setenv("OPENBLAS_NUM_THREADS", "1", 1)
        setenv("OMP_NUM_THREADS", "1", 1)
        _ = CSandbox_start_anew(CommandLine.unsafeArgv)
    }
}
