import DetectorProtocol
import ExportFormats
import Glibc

/// A process that makes copies, one picture at a time.
final class CopyWorker {
    /// News from the worker.
    enum News {
        /// It is ready for a picture.
        case ready
        /// A picture is dealt with.
        case answer(CopyResponse, ExportedJob)
        /// It has ended; the job that it was at, if any.
        case ended(ExportedJob?)
    }

    /// The descriptor that becomes readable when there is news.
    let output: Int32
    /// The folders whose files it may read.
    let folders: Set<String>
    /// The job whose picture it has.
    private(set) var job: ExportedJob?
    /// True if it has said that it is ready.
    private(set) var hasGreeted = false
    /// The number of pictures that it was given.
    private(set) var count = 0
    private let process: pid_t
    private var input: Int32
    private var decoder = FrameDecoder()
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var isReaped = false

    /// Starts a process in a group of its own, so that Ctrl-C is for the client alone.
    ///
    /// - Throws: ``ClientError`` if it can't be started.
    init(_ program: String, _ arguments: [String], folders: Set<String>) throws(ClientError) {
        self.folders = folders
        let (requests, answers) = (try Self.sockets(), try Self.sockets())
        defer {
            close(requests.read)
            close(answers.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, requests.read, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, answers.write, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let places = folders.sorted().flatMap { ["--documents", $0] }
        let words = ([program] + arguments + places).map { strdup($0) }
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, &attributes, words + [nil], environ)
        (self.process, input, output) = (process, requests.write, answers.read)
        guard result == 0 else {
            isReaped = true
            throw .unsuccessful(
                "\(program.safeForTerminal) can't be run: \(String(cString: strerror(result)))."
            )
        }
    }

    deinit {
        end(by: SIGKILL)
        if input >= 0 { close(input) }
        close(output)
    }

    /// True if it has nothing to do.
    var isIdle: Bool { hasGreeted && job == nil }

    /// Gives it a picture; false if it has gone, which is news as well.
    ///
    /// - Throws: ``ClientError`` if the request can't be made.
    func give(_ request: CopyRequest, of job: ExportedJob) throws -> Bool {
        self.job = job
        count += 1
        var rest = try DetectorFrame.encode(request)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }

    /// Reads what has come; nil if that isn't a whole message yet.
    func read() -> News? {
        let count = Glibc.read(output, &buffer, buffer.count)
        if count < 0, errno == EINTR { return nil }
        guard count > 0 else { return ended() }
        decoder.append(buffer[..<count])
        do {
            if !hasGreeted {
                guard try decoder.next(DetectorGreeting.self) != nil else { return nil }
                hasGreeted = true
                return .ready
            }
            guard let answer = try decoder.next(CopyResponse.self) else { return nil }
            guard let job, answer.id == job.id else { return ended() }
            self.job = nil
            return .answer(answer, job)
        } catch {
            return ended()
        }
    }

    /// Lets it end by itself, once it has dealt with what it has.
    func retire() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// True if it was told to end.
    var isRetired: Bool { input < 0 }

    /// True if it has ended by itself, with nothing to complain of.
    private(set) var hasEndedWell = false

    /// Ends it by a signal, unless that is 0, and waits until it has ended.
    func end(by signal: Int32) {
        guard !isReaped else { return }
        isReaped = true
        if signal != 0 { kill(-process, signal) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        hasEndedWell = status == 0
    }

    private func ended() -> News {
        // One that was told to end has nothing else to do once it has closed its output.
        end(by: isRetired ? 0 : SIGKILL)
        defer { job = nil }
        return .ended(job)
    }

    /// Two connected sockets: writing to one whose other end has gone is an error, and no signal.
    private static func sockets() throws(ClientError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .unsuccessful("A socket can't be opened: \(String(cString: strerror(errno))).")
        }
        return (ends[0], ends[1])
    }
}
