import ControlAPI
import Glibc
import Vocabulary

/// Keeps a ``WatchView`` up to date and on the screen until the user ends it.
final class WatchSession {
    private let client: ControlClient
    private let output: Output
    private let isStyled: Bool
    private let screen: FullScreen
    private var view: WatchView
    private var lastAsked: ContinuousClock.Instant?
    private var lastShown: ContinuousClock.Instant?

    /// The interval at which the daemon's status is requested, and the minimum interval between redraws.
    private static let (askInterval, showInterval) = (Duration.seconds(1), Duration.milliseconds(100))

    /// Creates a session for the daemon that `client` talks to.
    init(client: ControlClient, output: Output, isStyled: Bool) {
        self.client = client
        self.output = output
        self.isStyled = isStyled
        self.screen = FullScreen(output: output)
        self.view = WatchView(socketPath: client.socketPath)
    }

    /// Runs until the user ends it.
    ///
    /// - Throws: ``ClientError`` if the daemon can't be reached at the start.
    func run() throws -> ExitStatus {
        view.status = try client.status()
        let feed = EventFeed(socketPath: client.socketPath, after: nil)
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        try screen.enter()
        defer { screen.leave() }
        while true {
            try handle(try feed.next(timeout: 100, descriptors: [signals.descriptor, STDIN_FILENO]))
            for number in signals.drain() {
                if let status = try handle(signal: number) { return status }
            }
            if hasQuit() { return .done }
            guard feed.hasToWait else { continue }
            askForStatus()
            try show()
        }
    }

    private func handle(_ item: EventFeed.Item) throws {
        switch item {
        case .event(let event):
            view.apply(event)
        case .progress(let progress):
            if view.isUnknown(progress.job), let job = try? client.job(progress.job) { view.apply(job) }
            view.apply(progress)
        case .connected:
            view.notice = nil
            lastAsked = nil
            readFiles()
            readResults()
        case .lost:
            view.notice = "The daemon is gone; waiting for it to come back…"
        case .gone, .woken, .quiet, .ended:
            break
        }
    }

    /// Reads the active files anew.
    private func readFiles() {
        view.forgetFiles()
        for state in [JobState.downloading, .detecting] {
            try? client.forEachPage(state: state) { page in
                for job in page { view.apply(job) }
            }
        }
    }

    /// Reads the last results, if there are none yet.
    private func readResults() {
        guard view.results.isEmpty else { return }
        let page: PageJSON<JobJSON>? = try? client.ask(
            HTTPRequest(
                "GET",
                "/v1/jobs",
                query: [
                    ("ended_after", "0"), ("ending", "done,failed"), ("order", "newest"), ("limit", "60"),
                ]
            )
        )
        view.begin(with: page?.items ?? [])
    }

    private func handle(signal number: Int32) throws -> ExitStatus? {
        switch number {
        case SIGWINCH, SIGCONT:
            // Redraw at once, since the window has changed or belonged to somebody else.
            lastShown = nil
            return nil
        case SIGTSTP:
            screen.leave()
            raise(SIGSTOP)
            // Execution continues here once the shell resumes it; nothing may be drawn before.
            try screen.enter()
            lastShown = nil
            return nil
        case SIGINT:
            return .done
        default:
            screen.leave()
            return SignalPipe.die(by: number)
        }
    }

    /// Returns whether `q` was pressed, or the terminal has gone.
    private func hasQuit() -> Bool {
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 0) > 0 else { return false }
        var keys = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &keys, keys.count)
        return count <= 0
            || keys.prefix(count).contains { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") }
    }

    private func askForStatus() {
        guard view.notice == nil, lastAsked.map({ .now - $0 > Self.askInterval }) ?? true else { return }
        lastAsked = .now
        // If this fails, the feed will report it.
        if let status = try? client.status() { view.status = status }
        // The status is of now, and events may be some moments behind: what is shown is of one moment.
        if !view.hasAllFiles { readFiles() }
    }

    private func show() throws {
        guard lastShown.map({ .now - $0 > Self.showInterval }) ?? true, let size = output.size else { return }
        lastShown = .now
        let lines = view.lines(width: size.columns, rows: size.rows)
        try screen.show(lines.map { $0.rendered(width: size.columns, isStyled: isStyled) })
    }
}
