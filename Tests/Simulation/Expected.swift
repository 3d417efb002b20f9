import JobModel
import Vocabulary

/// What the worlds of the known seeds have to bring, so that nothing of the engine stays untried by accident.
enum Expected {
    static let all: [String] =
        states + events + failures + holds + verdicts + patience + edges + steps

    private static let states = JobState.allCases.map { "state \($0.rawValue)" }

    /// Documents are removed by nobody here.
    private static let events = EventWord.allCases.filter { $0 != .evicted && $0 != .removed }
        .map { "event \($0.rawValue)" }

    private static let failures = [
        FailureCode.unresolvedHost, .connectFailed, .connectionLost, .truncated, .empty, .timedOut, .stalled,
        .badCertificate, .tooManyRedirects, .unexpectedContentType, .diskFull, .http(429), .http(403),
        .http(404),
        .http(500), .http(503),
    ].map { "failure \($0.rawValue)" }

    private static let holds = [HoldKind.disk, .network, .host, .storage].map { "hold \($0.rawValue)" }

    private static let verdicts = [
        "accept", "acceptIfPicture", "redirect", "interrupted", "busy", "refused",
    ].map { "verdict \($0)" }

    private static let patience = [
        "open (asked)", "open (asked), few at once", "held (asked), few at once",
        "asking (asked), few at once",
        "held (failing), few at once", "held (certificate)",
    ].map { "patience \($0)" }

    private static let edges = [
        "queued → downloading", "downloading → stored", "downloading → waiting", "downloading → failed",
        "downloading → queued", "waiting → queued", "stored → detecting", "stored → done", "detecting → done",
        "queued → paused", "paused → queued", "waiting → cancelled", "failed → queued", "cancelled → queued",
        "done → stored",
    ].map { "edge \($0)" }

    private static let steps = [
        "add", "steer", "steerAll", "forget", "gate", "release", "reload", "look", "renew", "kill",
        "powerCut", "stop",
        "follow", "poll", "more", "pauseList", "lineDown", "diskFull", "diskHangs", "diskReadOnly",
        "storeFull", "clockSet", "suspend",
    ].map { "step \($0)" }

    /// What the scenes of lists have to bring.
    static let sources =
        ["reading", "idle", "waiting", "held", "paused", "failed", "ended"].map { "source \($0)" }
        + ["last_page", "empty_page", "past_end", "no_progress", "known", "unchanged"].map { "stop \($0)" }
        + [
            "page", "pastEnd", "noRoom", "500", "429", "429, asks to wait", "no requests left", "403", "404",
            "connection", "unexpected_shape", "reader_crashed", "waits since it ends the daemon",
        ].map { "page \($0)" }
}
