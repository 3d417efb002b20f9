import ControlAPI
import Foundation
import Glibc
import Vocabulary

/// A daemon of the release build in a directory of its own.
final class Facefetch {
    private let directory: String
    private let environment: [String: String]
    private let prefix: [String]
    private(set) var pid: pid_t

    /// Starts a daemon and waits until it is ready.
    ///
    /// Faces are looked for when the gate is opened, unless it is not to be `held`. `settings` are further ones,
    /// as in the environment; `prefix` is a command that runs the daemon, such as in another place.
    init(
        in directory: String,
        concurrency: Int,
        detectors: Int = 1,
        held: Bool = true,
        settings: [String: String] = [:],
        through prefix: [String] = []
    ) throws {
        self.directory = directory
        self.prefix = prefix
        let own = [
            "FACEFETCH_DETECTION_WHEN": held ? "held" : "always",
            "FACEFETCH_DETECTION_WORKERS": String(detectors),
            "FACEFETCH_TRANSFER_CONCURRENCY": String(concurrency),
            "FACEFETCH_TRANSFER_PER_HOST": String(concurrency),
            "FACEFETCH_SOCKET": directory + "/control.sock",
            "CACHE_DIRECTORY": directory + "/cache",
        ]
        environment = own.merging(settings) { $1 }
        pid = 0
        try start()
    }

    deinit { kill(SIGKILL) }

    /// Starts the daemon; returns the seconds until it was ready.
    @discardableResult
    func start() throws -> Double {
        let arguments = [
            "--state-dir", directory + "/state", "--documents-dir", directory + "/documents",
            "--socket", directory + "/control.sock", "--event-log", directory + "/events.log",
        ]
        let begun = Clock.seconds()
        let words = prefix + [Self.program("facefetchd")] + arguments
        let daemon = try Command(words[0], Array(words.dropFirst()), environment: environment)
        let errors = directory + "/errors.log"
        pid = try daemon.start(errors: errors)
        while true {
            let text = FileManager.default.contents(atPath: errors) ?? Data()
            if text.firstRange(of: Data("ready: ".utf8)) != nil { return Clock.seconds() - begun }
            guard waitpid(pid, nil, WNOHANG) == 0 else {
                throw BenchError.failed("facefetchd doesn't start: \(String(decoding: text, as: UTF8.self))")
            }
            usleep(1000)
        }
    }

    /// Ends it by a signal, and waits until it has.
    func kill(_ signal: Int32) {
        guard pid != 0 else { return }
        Glibc.kill(pid, signal)
        waitpid(pid, nil, 0)
        pid = 0
    }

    /// Adds the URLs of a list, as people do.
    func add(list: String) throws -> Command.Cost {
        try client(["add", "--from", list])
    }

    /// Runs the client to its end.
    func client(_ arguments: [String]) throws(BenchError) -> Command.Cost {
        try Command(Self.program("facefetch"), arguments, environment: environment).run()
    }

    /// Runs the client to its end, and says how much memory it and its processes held meanwhile.
    func watchedClient(_ arguments: [String]) throws(BenchError) -> (seconds: Double, memory: MemoryCourse) {
        let command = try Command(Self.program("facefetch"), arguments, environment: environment)
        let begun = Clock.seconds()
        let pid = try command.start(errors: "/dev/null")
        let memory = MemoryCourse(of: pid)
        return (try command.end(of: pid, begun: begun).wall, memory)
    }

    /// Runs the client to its end while asking for the status; returns how long the client and the slowest answer
    /// took, in seconds.
    func questionedClient(_ arguments: [String]) throws(BenchError) -> (seconds: Double, slowest: Double) {
        let command = try Command(Self.program("facefetch"), arguments, environment: environment)
        let connection = try connection()
        let begun = Clock.seconds()
        let pid = try command.start(errors: "/dev/null")
        var slowest = 0.0
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT | WNOHANG) == 0,
            information.si_signo == 0
        {
            let asked = Clock.seconds()
            _ = try connection.get("/v1/status")
            slowest = max(slowest, Clock.seconds() - asked)
            usleep(2000)
        }
        return (try command.end(of: pid, begun: begun).wall, slowest)
    }

    /// Opens the detection gate, as people do.
    func release() throws {
        try Command(Self.program("facefetch"), ["detection", "release"], environment: environment).run()
    }

    /// Waits until so many documents are stored, and no detector has looked at any; asks once in so many
    /// milliseconds.
    func untilStored(_ count: Int, asking milliseconds: UInt32 = 5) throws {
        try until(count, are: .stored, asking: milliseconds)
    }

    /// Waits until so many jobs are done, and asks once in so many milliseconds.
    func untilDone(_ count: Int, asking milliseconds: UInt32 = 5) throws {
        try until(count, are: .done, asking: milliseconds)
    }

    /// Waits until the hash of a job's document is known, and asks once in so many milliseconds.
    func untilHashed(_ job: Int, asking milliseconds: UInt32 = 5) throws {
        let connection = try connection()
        while true {
            let job = try JSONDecoder().decode(JobJSON.self, from: connection.get("/v1/jobs/\(job)"))
            if job.sha256 != nil { return }
            usleep(milliseconds * 1000)
        }
    }

    private func until(_ count: Int, are state: JobState, asking milliseconds: UInt32 = 5) throws {
        let connection = try connection()
        while true {
            let status = try JSONDecoder().decode(StatusJSON.self, from: connection.get("/v1/status"))
            if let failed = status.jobs[.known(.failed)], failed > 0 {
                throw BenchError.failed("\(failed) jobs failed")
            }
            if status.jobs[.known(state)] == count { return }
            usleep(milliseconds * 1000)
        }
    }

    func connection() throws(BenchError) -> ControlConnection {
        try ControlConnection(path: directory + "/control.sock")
    }

    /// Seconds of the processors that the daemon has used.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The name, in brackets, may have anything in it; utime and stime are fields 14 and 15 (proc(5)).
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw BenchError.failed("/proc/\(pid)/stat makes no sense")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Memory that the daemon takes of the machine (PSS), in MB.
    func memory() throws -> Double {
        guard let bytes = ProcessTree.taken(pid) else {
            throw BenchError.failed("/proc/\(pid)/smaps_rollup makes no sense")
        }
        return bytes / 1_000_000
    }

    /// The most memory that the daemon takes of the machine in the next seconds, in MB.
    func mostMemory(in seconds: Double) throws -> Double {
        let end = Clock.seconds() + seconds
        var most = 0.0
        repeat {
            most = max(most, try memory())
            usleep(50_000)
        } while Clock.seconds() < end
        return most
    }

    /// Waits until the daemon has done hardly anything for a second.
    func untilQuiet() throws {
        var before = try processorSeconds()
        while true {
            usleep(1_000_000)
            let now = try processorSeconds()
            if now - before < 0.03 { return }
            before = now
        }
    }

    /// A program of the same build: it lies beside this one.
    static func program(_ name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
            + "/"
            + name
    }
}
