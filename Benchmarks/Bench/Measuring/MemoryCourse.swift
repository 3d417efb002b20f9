import Foundation
import Glibc

/// The memory that a process and those that it starts hold, over time.
struct MemoryCourse {
    /// Resident bytes of all of them, ten times a second.
    private(set) var bytes: [Double] = []

    /// Watches a process until it has ended; somebody else has to reap it.
    init(of process: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG) == 0 {
            // Of a process that goes on, nothing is told.
            guard information.si_signo == 0 else { return }
            bytes.append(ProcessTree(of: process).resident)
            usleep(100_000)
        }
    }

    /// The most in a part of the time, in MB: from a share of it to another.
    func most(from: Double, to end: Double) -> Double {
        let part = bytes[Int(from * Double(bytes.count))..<Int((end * Double(bytes.count)).rounded(.up))]
        return (part.max() ?? .nan) / 1_000_000
    }
}
