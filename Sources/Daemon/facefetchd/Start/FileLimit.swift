import CLinux
import Dispatch
import Glibc

/// The limit on files and sockets that the daemon may have open.
enum FileLimit {
    /// The limit wanted: more than all settings together can need.
    private static let wanted: rlim_t = 65_536

    /// The limit in force.
    static var current: Int { Int(CLinux_descriptor_limit()) }

    /// Raises the soft limit as far as the hard one allows.
    ///
    /// The usual soft limit of 1,024 exists for programs that use select(2), and thousands of idle
    /// clients would exhaust it.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, wanted))
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Takes the descriptors of libdispatch's clocks, which come with the first timer of each: later there might
    /// be none left, and timers would never ring.
    static func takeClocks() {
        DispatchQueue.global().asyncAfter(deadline: .now()) {}
        DispatchQueue.global().asyncAfter(wallDeadline: .now()) {}
        Task { try? await Task.sleep(for: .microseconds(1), clock: .continuous) }
    }
}
