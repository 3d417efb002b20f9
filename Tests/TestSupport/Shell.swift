import Foundation
import Glibc

/// Runs a program to its end; blocks its thread.
public enum Shell {
    /// The program could not be started.
    public struct Failed: Error { let status: Int32 }

    /// Returns the path of a program, by `PATH`; nil if it isn't installed.
    public static func find(_ name: String) -> String? {
        guard let path = getenv("PATH") else { return nil }
        return String(cString: path).split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Runs a program, and answers its wait status and what it wrote to both outputs.
    public static func run(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        let ends = try Spawn.pipe()
        defer { close(ends.read) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends.write, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends.write, STDERR_FILENO)
        Spawn.closeOthers(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let all = ProcessInfo.processInfo.environment.merging(environment) { _, given in given }
        var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") }
        variables.append(nil)
        defer { for variable in variables { free(variable) } }
        let status = posix_spawn(&process, arguments[0], &actions, nil, words, variables)
        close(ends.write)
        guard status == 0 else { throw Failed(status: status) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends.read, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        var ended: Int32 = 0
        waitpid(process, &ended, 0)
        return (ended, String(decoding: bytes, as: UTF8.self))
    }
}
