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
