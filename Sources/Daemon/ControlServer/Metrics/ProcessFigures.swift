import Glibc

/// The resource usage of this process.
struct ProcessFigures {
    /// The processor time used so far in seconds (clock_gettime(2)).
    let processorSeconds: Double
    /// The resident memory in bytes (proc(5), statm); nil without /proc.
    let residentBytes: Int?
    /// The number of open file descriptors; nil without /proc.
    let openDescriptors: Int?

    /// Reads the current values from the kernel.
    init() {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        processorSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        residentBytes = Self.residentPages().map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        openDescriptors = Self.countDescriptors()
    }

    private static func residentPages() -> Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(file, &buffer, buffer.count)
        let fields = buffer.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    private static func countDescriptors() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        // Not counting the directory itself, "." and "..".
        var count = -3
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
