import Foundation
import Glibc

/// A program that is run to its end, and what that took.
struct Command {
    struct Cost {
        /// Seconds from before its start until after its end.
        var wall: Double
        /// Seconds of the processors, its own and the system's for it.
        var processor: Double
        /// The most memory that it held (resident), in bytes.
        var memory: Double = 0
    }

    var path: String
    var arguments: [String]
    var environment: [String: String] = [:]

    /// Finds a program in PATH.
    init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws(BenchError) {
        guard let path = Self.find(name) else {
            throw .failed("\(name) isn't installed: run make bench-deps")
        }
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs it; its output leads nowhere, or into a file.
    @discardableResult
    func run(output: String = "/dev/null") throws(BenchError) -> Cost {
        let begun = Clock.seconds()
        let pid = try start(errors: "/dev/null", output: output)
        return try end(of: pid, begun: begun)
    }

    /// Waits until it has ended, which has to be a good end.
    func end(of pid: pid_t, begun: Double) throws(BenchError) -> Cost {
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(pid, &status, 0, &usage) == pid, status == 0 else {
            throw .failed("\(path) \(arguments.joined(separator: " ")) ended with \(status >> 8)")
        }
        let wall = Clock.seconds() - begun
        return Cost(
            wall: wall,
            processor: Clock.seconds(usage.ru_utime) + Clock.seconds(usage.ru_stime),
            // Linux counts in KiB; getrusage(2).
            memory: Double(usage.ru_maxrss) * 1024
        )
    }

    /// Starts it, with its errors and its output going to files.
    func start(errors: String, output: String = "/dev/null") throws(BenchError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var settings: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + settings { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, nil, &words, &settings)
        guard result == 0 else {
            throw .failed("\(path) can't be run: \(String(cString: strerror(result)))")
        }
        return pid
    }

    private static func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return name }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin"])
            .map { $0 + "/" + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// The time, for differences.
enum Clock {
    static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
