import CSandbox
import ChildProtocol
import Glibc
import ListerProtocol
import PageReading

extension ForkServer {
    /// The largest answer for a page in bytes.
    static let longestAnswer = 512 << 20

    /// A reader's answer: complete frames, the last of which ends it.
    struct Answer {
        var frames: [ListerFrame] = []
    }

    /// Gets the greeting, with any errors that the fork server has found in the program.
    func greeting() throws -> ListerGreeting {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        guard
            case .success(let answer) = run(input: nothing, order: PageProcess.greeting, id: 0, feeding: nil),
            let frame = answer.frames.last, frame.kind == .greeting
        else {
            throw SandboxFailure("the recipe's expressions can't be compiled: jq crashed or takes too long")
        }
        var greeting = try frame.decode(ListerGreeting.self)
        greeting.warning = warnings.isEmpty ? nil : warnings.joined(separator: "; ")
        return greeting
    }

    /// Has a page read by a process of its own, and returns the frames of its answer.
    func read(_ request: ListerRequest) -> [ListerFrame] {
        let failure: ListerFailure
        let page = open(request.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if page < 0 {
            failure = ListerFailure(
                "reader_crashed",
                "the page can't be opened: \(String(cString: strerror(errno)))"
            )
        } else {
            defer { close(page) }
            switch read(request, page) {
            case .success(let answer): return answer.frames
            case .failure(let lost): failure = lost
            }
        }
        guard let frame = try? ListerFrame(.failure, id: request.id, failure) else { return [] }
        return [frame]
    }

    private func read(_ request: ListerRequest, _ page: Int32) -> Result<Answer, ListerFailure> {
        var status = stat()
        guard fstat(page, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(ListerFailure("reader_crashed", "the page is not a file"))
        }
        var start: [UInt8] = [0, 0]
        let isCompressed = pread(page, &start, 2, 0) == 2 && start == PageInput.compressedStart
        let begin = isCompressed ? request.rows.usablePlace?.start ?? 0 : max(0, request.rows.bytes)
        lseek(page, off_t(begin), SEEK_SET)
        guard let prefix = try? PageProcess.prefix(request, isCompressed: isCompressed),
            prefix.count <= ListerFrame.maximumLength
        else {
            return .failure(ListerFailure("too_large", "the page's header fields and variables exceed 1 MiB"))
        }
        return run(feeding: page, after: prefix, id: request.id)
    }

    /// Has a process started that reads some bytes and then a file's, if there is one, and takes its answer.
    func run(feeding page: Int32?, after prefix: [UInt8], id: UInt64) -> Result<Answer, ListerFailure> {
        var ends: [Int32] = [-1, -1]
        // Close-on-exec isn't needed, since this process starts no programs.
        guard pipe(&ends) == 0 else {
            return .failure(
                ListerFailure("reader_crashed", "can't make a pipe: \(String(cString: strerror(errno)))")
            )
        }
        let feed = Feed(page: page, pipe: ends[1], waiting: prefix[...])
        return run(input: ends[0], order: 0, id: id, feeding: feed)
    }

    /// Has a process started and takes its answer.
    ///
    /// If a page is to be fed, `input` is owned by this function.
    private func run(
        input: Int32,
        order number: UInt32,
        id: UInt64,
        feeding: Feed?
    ) -> Result<Answer, ListerFailure> {
        var order = CSandboxOrder(
            order: number,
            milliseconds: UInt32(clamping: Int(limit / .milliseconds(1)))
        )
        let output = CSandbox_fork_server_order(socket, &order, input)
        if feeding != nil { close(input) }
        guard output >= 0 else {
            if let feeding { feeding.end() }
            return .failure(
                ListerFailure(
                    "reader_crashed",
                    "no reader can be started: \(String(cString: strerror(errno)))"
                )
            )
        }
        let taken = take(from: output, id: id, feeding: feeding)
        // A process that still writes after that writes to nobody.
        close(output)
        feeding?.end()
        if case .failure(let lost) = ending() { return .failure(lost) }
        return taken
    }

    /// Waits until the last process has ended, and returns how; fails unless it ended well.
    private func ending() -> Result<CSandboxEnding, ListerFailure> {
        var ending = CSandboxEnding()
        guard CSandbox_fork_server_ending(socket, &ending) == 0 else {
            return .failure(ListerFailure("reader_crashed", "the process that starts readers has ended"))
        }
        return Self.lost(ending, limit: limit).map { .failure($0) } ?? .success(ending)
    }

    /// Has a process make one attempt; returns the errno with which it was refused, 0 for success, nil if
    /// it said nothing.
    func attempt(
        _ probe: Int,
        with input: Int32
    ) -> Result<(cause: Int32?, ending: CSandboxEnding), ListerFailure> {
        var order = CSandboxOrder(
            order: UInt32(clamping: probe),
            milliseconds: UInt32(clamping: Int(limit / .milliseconds(1)))
        )
        let output = CSandbox_fork_server_order(socket, &order, input)
        guard output >= 0 else {
            let cause = String(cString: strerror(errno))
            return .failure(ListerFailure("reader_crashed", "no reader can be started: \(cause)"))
        }
        let bytes = Streams.exactly(MemoryLayout<Int32>.size, output)
        close(output)
        return ending().map { (bytes?.withUnsafeBytes { $0.load(as: Int32.self) }, $0) }
    }

    /// Feeds the process and takes its frames, each as soon as possible.
    private func take(from output: Int32, id: UInt64, feeding: Feed?) -> Result<Answer, ListerFailure> {
        let misbehaved = ListerFailure("reader_crashed", "the reader's answer makes no sense")
        var answer = Answer()
        var reader = ListerFrameReader()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var total = 0
        while true {
            var places = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if let feeding, feeding.isOpen {
                places.append(pollfd(fd: feeding.pipe, events: Int16(POLLOUT), revents: 0))
            }
            guard poll(&places, nfds_t(places.count), -1) >= 0 || errno == EINTR else {
                return .failure(misbehaved)
            }
            if places.count > 1, places[1].revents != 0 { feeding?.step() }
            guard places[0].revents != 0 else { continue }
            let bytes = Streams.read(output, &buffer)
            guard !bytes.isEmpty else { break }
            total += bytes.count
            guard total <= Self.longestAnswer else {
                return .failure(
                    ListerFailure("too_large", "what the recipe makes of the page is more than 512 MiB")
                )
            }
            reader.append(bytes)
            do throws(FrameError) {
                while let next = try reader.next() {
                    // Nothing may follow the end of an answer, or belong to another request.
                    guard next.id == id, [nil, .items, .children].contains(answer.frames.last?.kind) else {
                        return .failure(misbehaved)
                    }
                    answer.frames.append(next)
                }
            } catch {
                return .failure(misbehaved)
            }
        }
        let last = answer.frames.last?.kind
        guard reader.isBetweenFrames, let last, Self.endings.contains(last) else {
            return .failure(misbehaved)
        }
        return .success(answer)
    }

    /// The kinds of frames that end an answer.
    private static let endings: Set<ListerFrame.Kind> = [.page, .failure, .greeting, .values]

    /// Returns what is wrong with the way a process has ended; nil if nothing is.
    private static func lost(_ ending: CSandboxEnding, limit: Duration) -> ListerFailure? {
        let words: String
        switch (ending.failure, ending.timed_out, ending.signal, ending.status) {
        case (0, false, 0, 0): return nil
        case (0, true, _, _), (0, _, SIGXCPU, _):
            return ListerFailure("reader_timed_out", "reading the page took longer than \(limit)")
        case (0, _, 0, PageReader.noMemory):
            return ListerFailure("too_large", "reading the page takes too much memory; ask for smaller pages")
        case (0, _, 0, CSandbox_not_begun): words = "the reader's sandbox can't be closed"
        case (0, _, 0, let status): words = "the reader ended with status \(status)"
        case (0, _, SIGSYS, _):
            words =
                "the reader made a system call that no reader makes, and was killed for it; the page may be an attack"
        case (0, _, let signal, _): words = "the reader was killed by signal \(signal)"
        default: words = "no reader can be started: \(String(cString: strerror(ending.failure)))"
        }
        var failure = ListerFailure("reader_crashed", words)
        failure.signal = ending.signal == 0 ? nil : ending.signal
        return failure
    }
}
