import ArgumentParser
import ControlAPI
import FoundationEssentials
import Glibc
import Vocabulary

/// Completes the names of jobs and batches in shells, with those that the daemon has.
///
/// If the daemon doesn't answer at once, nothing is offered, since waiting for a completion is worse
/// than having none.
enum NameCompletion {
    /// The most names offered.
    private static let limit = 100
    /// The time limit for the daemon in seconds.
    private static let patience = 1

    /// Completes the jobs that the command on the line can be applied to.
    static let jobs = CompletionKind.custom { words, _, _ in
        guard let client = client(for: words) else { return [] }
        let wanted =
            words.lazy.compactMap { JobAction(rawValue: $0) }.first.map(sensibleStates) ?? [nil]
        var names: [String] = []
        for state in wanted where names.count < limit {
            let page: PageJSON<JobJSON>? = try? client.ask(
                HTTPRequest("GET", "/v1/jobs", query: [("state", state?.rawValue), ("limit", "\(limit)")]),
                timeout: patience
            )
            names += (page?.items ?? []).map { "\(JobID($0.id))" }
        }
        return Array(names.prefix(limit))
    }

    /// Completes batches.
    static let batches = CompletionKind.custom { words, _, _ in
        let page: PageJSON<BatchJSON>? = try? client(for: words)?.ask(
            HTTPRequest("GET", "/v1/batches", query: [("limit", "\(limit)")]),
            timeout: patience
        )
        return (page?.items ?? []).map { "\(BatchID($0.id))" }
    }

    /// The sources there are.
    static let sources = CompletionKind.custom { words, _, _ in
        let page: PageJSON<SourceJSON>? = try? client(for: words)?.ask(
            HTTPRequest("GET", "/v1/sources"),
            timeout: patience
        )
        return (page?.items ?? []).map(\.name)
    }

    /// The recipes that come with the program.
    static let recipes = CompletionKind.custom { _, _, _ in (try? RecipeShelf.find().names()) ?? [] }

    /// Returns the states in which a command makes sense.
    private static func sensibleStates(_ steering: JobAction) -> [JobState?] {
        switch steering {
        case .pause: [.downloading, .waiting, .queued]
        case .resume: [.paused]
        case .cancel: [.downloading, .waiting, .paused, .queued]
        case .retry: [.failed, .waiting]
        case .detect, .pin, .unpin: [.done]
        }
    }

    private static func client(for words: [String]) -> ControlClient? {
        let flag = words.firstIndex(of: "--socket").flatMap { index in
            words.indices.contains(index + 1) ? words[index + 1] : nil
        }
        let path = try? SocketPath.find(
            flag: flag,
            environment: ProcessInfo.processInfo.environment,
            exists: { access($0, F_OK) == 0 }
        )
        return path.flatMap { try? ControlClient(socketPath: $0) }
    }
}
