import Foundation
import Glibc
import TestSupport
import Testing

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
    /// A transaction in progress, in whichever database, keeps records of all from being followed and old versions of
    /// rows from going: tests of that need another server.
    static func shared() throws -> PostgresServer { try common.get() }

    /// The server of those who follow the record, one after the other.
    static func secluded() throws -> PostgresServer { try other.get() }

    private static let common = Result { try PostgresServer() }
    private static let other = Result { try PostgresServer() }

    /// The server did not start; this is what it said.
    struct Failed: Error { var output: String }

    /// The folder with all that it has.
    let directory: String
    private var data: String { directory + "/data" }
    private let programs: String
    /// Whoever stops it and removes its folder, and the pipe at whose end it does so.
    private let keeper: (process: pid_t, line: Int32)

    /// Starts a server; returns when it answers.
    ///
    /// It goes with the process, however that ends.
    convenience init() throws {
        try self.init { server in
            try server.run(
                "initdb",
                ["-D", server.data, "-A", "trust", "-U", "fleet", "--no-sync", "-E", "UTF8"]
            )
        }
        try start()
    }

    /// What a base backup of a server is to be.
    enum Copy {
        /// What it was, as a copy of its disk would be.
        case plain
        /// What it was, recovered as from an archive.
        case recovered
        /// Its standby, which has come no further yet.
        case standby
    }

    /// Makes a server of another one's base backup, and doesn't start it yet.
    convenience init(_ copy: Copy, of other: PostgresServer) throws {
        try self.init { server in
            let options = ["-c", "fast", "--no-sync"] + (copy == .standby ? ["-R"] : [])
            try server.run(
                "pg_basebackup",
                ["-D", server.data, "-h", other.directory, "-U", "fleet"] + options
            )
            guard copy == .recovered else { return }
            try Data().write(to: URL(filePath: server.data + "/recovery.signal"))
            let settings = try #require(FileHandle(forWritingAtPath: server.data + "/postgresql.auto.conf"))
            try settings.seekToEnd()
            try settings.write(contentsOf: Data("restore_command = 'false'\n".utf8))
        }
    }

    private init(_ fill: (PostgresServer) throws -> Void) throws {
        guard let programs = Self.programs else { throw Failed(output: "no PostgreSQL from 15 on") }
        self.programs = programs
        // Short: a socket's path has at most 107 bytes.
        directory = "/tmp/ff-pg-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(directory, 0o700) == 0 else { throw Failed(output: String(cString: strerror(errno))) }
        if getuid() == 0 { chown(directory, 65534, 65534) }
        keeper = try Self.keep(
            directory,
            Self.command(programs + "/pg_ctl", ["stop", "-m", "immediate", "-D", directory + "/data"])
        )
        try fill(self)
    }

    deinit {
        close(keeper.line)
        _ = Spawn.wait(for: keeper.process)
    }

    /// Starts a program that stops a server and removes its folder as soon as a pipe is closed.
    ///
    /// It has a session of its own, so that what ends a whole group of processes doesn't end it.
    private static func keep(_ directory: String, _ stop: [String]) throws -> (process: pid_t, line: Int32) {
        let line = try Spawn.pipe()
        defer { close(line.read) }
        do {
            let process = try Spawn.start(
                "/usr/bin/setsid",
                ["/bin/sh", "-c", #"cat; "$@"; rm -rf "$0""#, directory] + stop,
                streams: (line.read, nil, nil)
            )
            return (process, line.write)
        } catch {
            close(line.write)
            rmdir(directory)
            throw error
        }
    }

    /// The connection string of its database.
    var database: String { "host=\(directory) user=fleet dbname=postgres" }

    /// Starts it again.
    func start() throws {
        let settings = ["listen_addresses=", "unix_socket_directories=\(directory)", "fsync=off"]
        let options = settings.map { "-c \($0)" }.joined(separator: " ")
        try run(
            "pg_ctl",
            ["start", "-w", "-D", data, "-l", directory + "/log", "-o", options]
        )
    }

    /// Has a standby become a primary; returns when it is.
    func promote() throws { try run("pg_ctl", ["promote", "-w", "-D", data]) }

    /// Ends it as a crash would.
    func stop() throws { try run("pg_ctl", ["stop", "-m", "immediate", "-w", "-D", data]) }

    private static func command(_ program: String, _ arguments: [String]) -> [String] {
        let asNobody =
            getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        return asNobody + [program] + arguments
    }

    /// Runs one of PostgreSQL's programs.
    func run(_ program: String, _ arguments: [String]) throws {
        let (status, output) = try Shell.run(
            Self.command(programs + "/" + program, arguments),
            environment: ["LC_ALL": "C", "TMPDIR": directory]
        )
        guard status == 0 else { throw Failed(output: output) }
    }
}
