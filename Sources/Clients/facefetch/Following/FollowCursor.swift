import Glibc
import SmallFiles

/// The place that a follower of one name has reached, in a file of its own; one process at a time has it.
///
/// The file's lines are `facefetch-on 1`, `through N`, and `open N` for each ending that isn't dealt with.
final class FollowCursor {
    private let path: String
    private let lock: Int32

    /// The cursor of this name.
    ///
    /// - Throws: ``ClientError`` when there can be none, or somebody has it.
    init(name: String, in folder: String) throws(ClientError) {
        path = folder + "/" + name
        try StateFolder.make(folder)
        let lockPath = path + ".lock"
        lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ByteFile.failure(lockPath, errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw ClientError(
                status: .alreadyRunning,
                message:
                    "\"\(name.safeForTerminal)\" is followed already: give this one another name with --name."
            )
        }
    }

    deinit { close(lock) }

    /// Reads what was written down; nil the first time.
    ///
    /// - Throws: ``ClientError`` when it can't be read.
    func read() throws(ClientError) -> FollowLedger? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw ByteFile.failure(path, errno) }
        close(descriptor)
        let lines = try TextFile.read(path, what: "The cursor").split(separator: "\n")
        var through: Int64?
        var open: [Int64] = []
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int64(words[1]) else { throw broken }
            switch words[0] {
            case "through": through = number
            case "open": open.append(number)
            default: throw broken
            }
        }
        guard lines.first == "facefetch-on 1", let through else { throw broken }
        return FollowLedger(through: through, open: open)
    }

    /// Writes down how things are, so that it survives a power cut.
    ///
    /// - Throws: ``ClientError`` when it can't be written.
    func write(_ ledger: FollowLedger) throws {
        let open = ledger.openNumbers.map { "open \($0)\n" }.joined()
        let text = "facefetch-on 1\nthrough \(ledger.through)\n\(open)"
        do throws(FileFailure) { try KeptFile.write(Array(text.utf8), to: path) } catch {
            throw ByteFile.failure(path, error.number)
        }
    }

    /// The folder of cursors: systemd's, else the person's.
    static func folder(_ environment: [String: String]) throws(ClientError) -> String {
        if let given = StateFolder.ofService(environment) { return given }
        guard let folder = StateFolder.ofPerson(environment) else {
            throw .usage("There is no place to remember things: set HOME, XDG_STATE_HOME or STATE_DIRECTORY.")
        }
        return folder + "/on"
    }

    /// The sentence for what was forgotten before it was read.
    static func gap(upTo number: Int64) -> String {
        "Jobs that ended up to number \(number) were forgotten, and may be missing here."
    }

    private var broken: ClientError {
        .unsuccessful(
            """
            The cursor \(path.safeForTerminal) can't be read: remove it to begin at now, \
            or to begin at the oldest with --from 0.
            """
        )
    }
}
