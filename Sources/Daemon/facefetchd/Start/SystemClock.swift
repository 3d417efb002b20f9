import FoundationEssentials
import Glibc
import JobModel

/// The machine's clocks.
enum SystemClock {
    /// Reads the clocks.
    static func read() -> ClockReading {
        ClockReading(
            wall: Timestamp(microseconds: microseconds(of: CLOCK_REALTIME)),
            sinceBoot: microseconds(of: CLOCK_BOOTTIME)
        )
    }

    private static func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// The identification of this run of the machine.
enum BootID {
    /// Returns the kernel's random id for this run of the machine (proc(5)); nil if it can't be read, in
    /// which case no partial is trusted beyond what was synced.
    static func current(at path: String = "/proc/sys/kernel/random/boot_id") -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }
}
