import FleetCore
import Glibc
import SmallFiles
import SourceCore
import Vocabulary
import YAMLTree

/// The settings of `fleet.yaml`.
struct FleetSettings: Hashable, Sendable {
    /// The path of the file.
    var path: String
    /// The connection string of the database.
    var database: String
    /// The node's name.
    var node: String
    /// The control socket of its daemon.
    var socket = "/run/facefetch/control.sock"
    /// The schema of the fleet's tables.
    var schema = "ff"
    /// The times that follow from the lease.
    var timing = FleetTiming(leaseSeconds: 30)
    /// The most jobs that are claimed at once.
    var slice = 1000
    /// The place for documents.
    var place: DocumentPlace
    /// The bucket, if they are in one.
    var bucket: BucketSettings?
    /// The time for which a node's daemon keeps jobs of the fleet that have ended; nil for none.
    var keep: Duration?
    /// The file that the agent's figures are written to; nil for none.
    var metrics: String?

    /// The range of leases, in seconds.
    static let leases = Double(FleetTiming.leases.lowerBound)...Double(FleetTiming.leases.upperBound)

    /// The range of times for which jobs are kept, in seconds.
    static let keeps = 3600...3650 * 86_400.0

    /// The range of slices.
    static let slices = 1...10_000

    /// The limits of the file, more than it ever needs.
    private static let limits = YAMLLimits(bytes: 64 << 10, nodes: 1000, depth: 5)

    /// The path of the settings if nobody says otherwise.
    static let usualPath = "/etc/facefetch/fleet.yaml"

    /// Reads a file.
    init(path: String) throws(FleetFailure) {
        let (text, mode) = try Self.open(path)
        try self.init(text: text, path: path, hostName: Self.hostName, isPrivate: mode & 0o007 == 0)
    }

    /// Reads a text; `hostName` is the node's name where it says none.
    ///
    /// - Parameter isPrivate: Whether the file may have a password: others can't read it.
    init(text: String, path: String, hostName: String, isPrivate: Bool = true) throws(FleetFailure) {
        let root: YAMLNode?
        do throws(YAMLProblem) { root = try YAMLTree.read(text, within: Self.limits) } catch {
            throw Self.bad("\(path):\(error.line)", error.message)
        }
        self.path = path
        var values: [String: String] = [:]
        guard case .map(let entries, _)? = root else {
            throw Self.bad(path, "expected keys with values, such as \"database: dbname=facefetch\"")
        }
        for entry in entries {
            let (name, line) = (entry.name, entry.line)
            guard let text = entry.value.text else {
                throw Self.bad("\(path):\(line)", "expected a plain key and a plain value")
            }
            guard Self.table.contains(where: { $0.key == name }) else {
                throw Self.bad("\(path):\(line)", "there is no setting \(name)")
            }
            values[name] = text
        }
        switch (values["database"], values["database-file"]) {
        case (let database?, nil):
            guard isPrivate || !ConnectionString.hasPassword(database) else {
                throw Self.bad(
                    path,
                    "others may read this, and database has a password: chmod o= it, or use database-file"
                )
            }
            self.database = database
        case (nil, let file?):
            let text = try Self.read(file, isSecret: true)
            database = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
        default:
            throw Self.bad(path, "one of database and database-file is needed: a connection string of libpq")
        }
        guard ConnectionString.isReadable(database) else {
            throw Self.bad(
                values["database-file"] ?? path,
                "the database's connection string can't be read: put a value that has a blank between single quotes, "
                    + "and percent-encode the signs of a password in a URL"
            )
        }
        node = values["node"] ?? hostName
        (place, bucket) = try Self.place(values, node: node, path: path)
        guard !node.isEmpty, node.utf8.count <= 255, !node.contains("/"),
            !node.contains(where: \.isWhitespace)
        else { throw Self.bad(path, "node must be a name without blanks and slashes") }
        socket = values["socket"] ?? socket
        schema = values["schema"] ?? schema
        if let text = values["lease"] {
            guard let seconds = DurationText.seconds(text, in: Self.leases) else {
                throw Self.bad(path, "lease must be \(DurationText.form(Self.leases))")
            }
            timing = FleetTiming(leaseSeconds: Int(seconds.rounded()))
        }
        if let text = values["slice"] {
            guard let slice = Int(text), Self.slices.contains(slice) else {
                throw Self.bad(path, "slice must be a number from 1 to 10000")
            }
            self.slice = slice
        }
        if let text = values["keep"] {
            guard let seconds = DurationText.seconds(text, in: Self.keeps) else {
                throw Self.bad(path, "keep must be \(DurationText.form(Self.keeps))")
            }
            keep = .seconds(seconds)
        }
        if let text = values["metrics"] {
            guard text.hasPrefix("/"), !text.hasSuffix("/") else {
                throw Self.bad(path, "metrics must be the absolute path of a file")
            }
            metrics = text
        }
    }

    static func bad(_ place: String, _ message: String) -> FleetFailure {
        FleetFailure(.badSettings, "\(place): \(message).")
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Reads a small file; one with a password only if nobody else may.
    static func read(_ path: String, isSecret: Bool) throws(FleetFailure) -> String {
        let (text, mode) = try open(path)
        if isSecret, mode & 0o077 != 0 {
            throw bad(path, "others may read this, and it has a password: chmod 600 it")
        }
        return text
    }

    /// Reads a small file, and the mode that it has.
    private static func open(_ path: String) throws(FleetFailure) -> (text: String, mode: mode_t) {
        do throws(FileFailure) {
            let file = try OpenedFile(path, .isRegular)
            return (String(decoding: try file.bytes(atMost: (64 << 10) - 1), as: UTF8.self), file.mode)
        } catch .system(let number) {
            throw bad(path, "this can't be read: \(String(cString: strerror(number)))")
        } catch .notRegular {
            throw bad(path, "this is not a regular file")
        } catch {
            throw bad(path, "this is too long: at most 64 KiB are read")
        }
    }
}
