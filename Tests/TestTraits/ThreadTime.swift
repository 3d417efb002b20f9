import Glibc

/// Returns how long the calling thread has the processor for `body`, in seconds: the least of three runs.
///
/// Others may have the processor meanwhile, so that it says how much there is to do, not how busy the machine is.
public func threadTime(of body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    return (0..<3).map { _ in
        let before = now()
        body()
        return now() - before
    }.min() ?? 0
}
