import FoundationEssentials
import Glibc

/// A program that was run to its end, with what it wrote.
struct ChildRun {
    /// Its exit status; 128 and the number for a signal, as shells have it.
    let status: Int32
    /// The bytes that it wrote to standard output.
    let output: [UInt8]
    /// The text that it wrote to standard error.
    let errors: String

    /// Runs a program; what it writes goes into files, so that nobody has to read meanwhile.
    init(
        _ program: String,
        _ arguments: [String],
        output: String,
        errors: String
    ) throws(ClientError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, flags, 0o600)
        let words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var id = pid_t()
        let result = posix_spawn(&id, program, &actions, nil, words + [nil], environ)
        guard result == 0 else {
            throw .unsuccessful(
                "\(program.safeForTerminal) can't be run: \(String(cString: strerror(result)))."
            )
        }
        var state: Int32 = 0
        while waitpid(id, &state, 0) < 0, errno == EINTR {}
        let signal = state & 0x7F
        status = signal == 0 ? (state >> 8) & 0xFF : 128 + signal
        self.output = FileManager.default.contents(atPath: output).map(Array.init) ?? []
        self.errors = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    }
}

/// A folder for files that nobody else may read, gone with its owner.
final class ScratchFolder {
    private let folder: String

    init() throws(ClientError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/facefetch-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .unsuccessful(
                "\(parent.safeForTerminal) can't be written: \(String(cString: strerror(errno)))."
            )
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The path of a name in it.
    func path(_ name: String) -> String { folder + "/" + name }

    /// Writes a file, and gives back its path.
    func write(_ bytes: [UInt8], to name: String) throws(ClientError) -> String {
        guard FileManager.default.createFile(atPath: path(name), contents: Data(bytes)) else {
            throw .unsuccessful("\(path(name).safeForTerminal) can't be written.")
        }
        return path(name)
    }
}

/// The place of another program of ours: beside the client, or where packages put it.
enum OwnProgram {
    /// Finds a program; `purpose` is what it does, such as "Tables are read".
    ///
    /// - Throws: ``ClientError`` if it isn't there.
    static func find(_ name: String, for purpose: String) throws(ClientError) -> String {
        let own = realpath("/proc/self/exe", nil).map { pointer -> String in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let folder = own.map { path in String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) }
        let places = [folder, "/usr/bin", "/usr/libexec/facefetch"].compactMap(\.self)
        for place in places where access(place + "/" + name, X_OK) == 0 { return place + "/" + name }
        throw .unsuccessful(
            "\(purpose) by \(name), which is not in the same directory as facefetch: install it."
        )
    }
}
