import Glibc

/// The signals that ask the agent to stop, which come when it looks for them.
enum Signals {
    /// Has them wait until they are looked for; children get none.
    static func hold() {
        var signals = set
        sigprocmask(SIG_BLOCK, &signals, nil)
    }

    /// True if one has come.
    static var hasCome: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
