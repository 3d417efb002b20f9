/// A host that allows so many requests in a length of time, asks everybody else to wait, and counts.
final class CountingHost {
    /// The numbers of requests.
    struct Counts {
        var answered: Int
        var refused: Int
    }

    private let host: ScriptedHost

    /// Starts it and waits until it listens; `status` is that of its refusals, which say how long to wait.
    init(in directory: String, allowing requests: Int, every seconds: Int, refusing status: Int) throws {
        let arguments = [requests, seconds, status].map { String($0) }
        host = try ScriptedHost("counting_host", arguments, in: directory)
    }

    func url(_ path: String) -> String { host.url(path) }

    /// Ends it, and says how often it was asked.
    func end() throws(BenchError) -> Counts {
        let numbers = try host.end().map { Int($0) }
        guard numbers.count == 2 else { throw .failed("counting_host.py has counted nothing") }
        return Counts(answered: numbers[0], refused: numbers[1])
    }
}
