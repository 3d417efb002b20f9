import Glibc

/// Orphans of children that were killed: the processes that they had started die with them, and become
/// children of the system's first process, which has to take note of their end.
///
/// In a container without an init the first process is the daemon, and what nobody takes note of
/// stays in the table of processes for ever.
enum Orphans {
    /// Names that children give to the processes that they start (`CSandbox`); they are never called so
    /// themselves, so whose end somebody else here waits for isn't among them.
    private static let names: Set<String> = ["decoder", "fork-server"]

    /// Takes note of all that have ended, where that is this process's to do.
    static func reap() {
        guard getpid() == 1, let processes = opendir("/proc") else { return }
        defer { closedir(processes) }
        while let entry = readdir(processes) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let process = pid_t(name), process > 1, isOrphan(process) else { continue }
            // This fails for those that aren't ours because their parents are alive.
            waitpid(process, nil, WNOHANG)
        }
    }

    private static func isOrphan(_ process: pid_t) -> Bool {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        return count > 0 && names.contains(String(decoding: bytes[..<(count - 1)], as: UTF8.self))
    }
}
