import Glibc

/// Returns the answer of a system call that wasn't interrupted.
///
/// Where a socket has a time limit, a process that is stopped and goes on finds its calls interrupted
/// (signal(7), "Interruption of system calls by stop signals").
func uninterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
