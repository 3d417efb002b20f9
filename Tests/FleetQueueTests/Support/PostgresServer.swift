import Foundation
import Glibc
import TestSupport

/// A PostgreSQL of its own, in a temporary folder, which only a socket there leads to.
///
/// PostgreSQL doesn't run as root: then it runs as nobody.
final class PostgresServer: Sendable {
    /// The folder of the server's programs, those of the newest version unless the environment names others;
    /// nil if none of version 15 or later is installed.
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let installed = versions.compactMap(Int.init).filter { $0 >= 15 }.sorted(by: >)
        let named = ProcessInfo.processInfo.environment["FACEFETCH_POSTGRES"].map { [$0] } ?? []
        return (named + installed.map { "\(root)/\($0)/bin" }).first { access($0 + "/initdb", X_OK) == 0 }
    }()

    /// The server that tests share which don't stop it, each with a database of its own: to make a cluster takes
    /// seconds.
    ///
    /// It goes with the process, however that ends.
    static func shared() throws -> PostgresServer { try common.get() }

    private static let common = Result { () throws -> PostgresServer in
        guard let programs else { throw Failed(output: "no PostgreSQL from 15 on") }
        let server = try PostgresServer(programs)
        // Whoever reads the other end of this pipe sees when the process is gone.
        let stop = server.command("pg_ctl", ["stop", "-m", "immediate", "-D", server.directory + "/data"])
        let script = "cat; \(stop.joined(separator: " ")); rm -rf \(server.directory)"
        guard popen("{ \(script); } >/dev/null 2>&1", "we") != nil else {
            throw Failed(output: String(cString: strerror(errno)))
        }
        return server
    }

    /// The server did not start; this is what it said.
    struct Failed: Error { var output: String }

    private let directory: String
    private let programs: String

    /// Starts a server; returns when it answers.
    init(_ programs: String) throws {
        self.programs = programs
        // Short: a socket's path has at most 107 bytes.
        directory = "/tmp/ff-pg-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(directory, 0o700) == 0 else { throw Failed(output: String(cString: strerror(errno))) }
        if getuid() == 0 { chown(directory, 65534, 65534) }
        try run(
            "initdb",
            ["-D", directory + "/data", "-A", "trust", "-U", "fleet", "--no-sync", "-E", "UTF8"]
        )
        try start()
    }

    deinit {
        try? stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The connection string of its database.
    var database: String { "host=\(directory) user=fleet dbname=postgres" }

    /// Starts it again.
    func start() throws {
        let settings = ["listen_addresses=", "unix_socket_directories=\(directory)", "fsync=off"]
        let options = settings.map { "-c \($0)" }.joined(separator: " ")
        try run(
            "pg_ctl",
            ["start", "-w", "-D", directory + "/data", "-l", directory + "/log", "-o", options]
        )
    }

    /// Ends it as a crash would.
    func stop() throws { try run("pg_ctl", ["stop", "-m", "immediate", "-w", "-D", directory + "/data"]) }

    private func command(_ program: String, _ arguments: [String]) -> [String] {
        let asNobody =
            getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        return asNobody + [programs + "/" + program] + arguments
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let (status, output) = try Shell.run(
            command(program, arguments),
            environment: ["LC_ALL": "C", "TMPDIR": directory]
        )
        guard status == 0 else { throw Failed(output: output) }
    }
}
