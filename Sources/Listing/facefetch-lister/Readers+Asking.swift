import Confinement
import Glibc
import SourceCore
import SourceReading
import Vocabulary

extension Readers {
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
        greeting.warning = server.warning
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
        order: UInt32,
        id: UInt64,
        feeding: Feed?
    ) -> Result<Answer, ListerFailure> {
        defer { feeding?.end() }
        do throws(ForkServer.Unavailable) {
            let isHandedOver = feeding != nil
            let (taken, ending) = try server.run(input: input, isHandedOver: isHandedOver, order: order) {
                output in
                // One that still reads after its answer finds the end of its input.
                defer { feeding?.end() }
                return readAnswer(from: output, id: id, feeding: feeding)
            }
            return ListerFailure(lost: ending, limit: server.limit).map { .failure($0) } ?? taken
        } catch {
            let words =
                switch error {
                case .child(let cause): "no reader can be started: \(String(cString: strerror(cause)))"
                case .server: "the process that starts readers has ended"
                }
            return .failure(ListerFailure("reader_crashed", words))
        }
    }

    /// Feeds the process and reads its frames, each as soon as possible.
    private func readAnswer(from output: Int32, id: UInt64, feeding: Feed?) -> Result<Answer, ListerFailure> {
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
            let bytes = Streams.read(from: output, into: &buffer)
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
}

extension ListerFailure {
    /// Creates the failure for the way in which a reader has ended; nil if nothing is wrong with that.
    init?(lost ending: ChildEnding, limit: Duration) {
        let words: String
        switch ending.way {
        case .well: return nil
        case .timedOut:
            self.init("reader_timed_out", "reading the page took longer than \(limit)")
            return
        case .tooMuchMemory, .status(PageReader.noMemory):
            self.init("too_much_memory", "reading the page takes too much memory; ask for smaller pages")
            return
        case .notConfined: words = "the reader's sandbox can't be set up"
        case .status(let status): words = "the reader ended with status \(status)"
        case .forbiddenCall:
            words =
                "the reader made a system call that no reader makes, and was killed for it; the page may be an attack"
        case .signal(let signal): words = "the reader was killed by signal \(signal)"
        }
        self.init("reader_crashed", words)
        signal = ending.signal
    }
}
