import ChildProcess
import ChildProtocol
import JobCore
import ListerProtocol
import Subprocess
import Synchronization
import SystemPackage

/// One lister process, which reads the pages of one recipe, one at a time.
final class ListerProcess: Sendable {
    private enum Command: Sendable {
        case send(ListerFrame)
        case finish
        case kill
    }

    private struct State {
        var reader = ListerFrameReader()
        var greeting: Result<ListerGreeting, ListerFailure>?
        var greetingWaiters: [CheckedContinuation<Result<ListerGreeting, ListerFailure>, Never>] = []
        var question: Question?
        var hasEnded = false
        /// The reason why it was ended by us, for those who wait.
        var reason: ListerFailure?
        var complaints = 0
    }

    /// A question that was asked, what has come of its answer, and who waits for it.
    private enum Question {
        case page(AnswerInParts, CheckedContinuation<Result<ListerAnswer, ListerFailure>, Never>)
        case recipe(AnsweredRecipe, CheckedContinuation<Result<RecipeAnswer, ListerFailure>, Never>)

        /// Takes a frame; returns what tells who waits, once the answer is complete.
        mutating func take(_ frame: ListerFrame) throws(Misbehaviour) -> (@Sendable () -> Void)? {
            switch self {
            case .page(var answer, let waiter):
                guard let result = try answer.take(frame) else {
                    self = .page(answer, waiter)
                    return nil
                }
                return { waiter.resume(returning: result) }
            case .recipe(let answer, let waiter):
                let result = try answer.take(frame)
                return { waiter.resume(returning: result) }
            }
        }

        func fail(_ failure: ListerFailure) {
            switch self {
            case .page(_, let waiter): waiter.resume(returning: .failure(failure))
            case .recipe(_, let waiter): waiter.resume(returning: .failure(failure))
            }
        }
    }

    /// The most bytes on standard error of one page.
    private static let longestComplaint = 1 << 20
    /// The most problems of a program: some of each of its expressions.
    private static let mostProblems = 1000

    let program: ListerProgram
    private let configuration: ListerPoolConfiguration
    private let voices: ChildVoices
    private let state = Mutex(State())
    private let commands: AsyncStream<Command>
    private let command: AsyncStream<Command>.Continuation

    init(program: ListerProgram, configuration: ListerPoolConfiguration, voices: ChildVoices) {
        self.program = program
        self.configuration = configuration
        self.voices = voices
        (commands, command) = AsyncStream.makeStream()
    }

    /// True if it can't be asked any more: it is gone, or is about to be.
    var hasEnded: Bool { state.withLock { $0.hasEnded || $0.reason != nil } }

    /// Returns the greeting for its program, once it has compiled that.
    func greeting() async -> Result<ListerGreeting, ListerFailure> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Result<ListerGreeting, ListerFailure>? in
                if let greeting = state.greeting { return greeting }
                if state.hasEnded { return .failure(state.reason ?? Self.crash("it has ended")) }
                state.greetingWaiters.append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Has a page read; one at a time.
    func read(_ request: ListerRequest) async -> Result<ListerAnswer, ListerFailure> {
        guard let frame = try? ListerFrame(.request, id: request.id, request) else {
            return .failure(ListerFailure("too_large", "what is said about the page can't be written"))
        }
        return await withCheckedContinuation { continuation in
            ask(frame, .page(AnswerInParts(to: request, program: program), continuation))
        }
    }

    /// Has a recipe read; one at a time.
    func read(_ request: RecipeRequest) async -> Result<RecipeAnswer, ListerFailure> {
        guard let frame = try? ListerFrame(.recipe, id: request.id, request),
            frame.body.count + ListerFrame.headerLength <= frame.kind.maximumLength
        else { return .failure(ListerFailure("too_large", "the recipe is too large to be read")) }
        return await withCheckedContinuation { continuation in
            ask(frame, .recipe(AnsweredRecipe(id: request.id), continuation))
        }
    }

    private func ask(_ frame: ListerFrame, _ question: Question) {
        let reason = state.withLock { state -> ListerFailure? in
            if let reason = state.reason { return reason }
            guard !state.hasEnded else { return Self.crash("it has ended") }
            state.question = question
            state.complaints = 0
            return nil
        }
        if let reason { return question.fail(reason) }
        command.yield(.send(frame))
    }

    /// Ends it once it has nothing more to say.
    func finish() { command.yield(.finish) }

    /// Ends it at once; who waits is told why.
    func kill(because reason: ListerFailure) {
        state.withLock { $0.reason = $0.reason ?? reason }
        command.yield(.kill)
    }

    static func crash(_ how: String) -> ListerFailure {
        ListerFailure("reader_crashed", "the process that reads pages is gone: \(how)")
    }

    /// Runs the process to its end; gives back how that was, unless it was as wanted.
    func run() async -> ChildEnd? {
        var how: ChildEnd?
        if let missing = configuration.missingProgram {
            state.withLock { $0.reason = $0.reason ?? missing }
            end(missing.message)
            return nil
        }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(configuration.executable)),
                arguments: Arguments(configuration.arguments),
                environment: ChildEnvironment.inherited(),
                input: .inputWriter,
                output: .sequence,
                error: .sequence
            ) { execution in
                await withTaskGroup(of: Void.self, returning: Bool.self) { group in
                    var isWanted = false
                    group.addTask { await self.log(execution.standardError) }
                    group.addTask {
                        await self.listen(execution.standardOutput)
                        self.command.finish()
                    }
                    if let frame = try? ListerFrame(.program, program) {
                        _ = try? await execution.standardInputWriter.write(frame.bytes)
                    }
                    for await command in commands {
                        switch command {
                        // A write fails only when the process is gone, which its end will tell.
                        case .send(let frame):
                            _ = try? await execution.standardInputWriter.write(frame.bytes)
                        case .finish:
                            isWanted = true
                            try? await execution.standardInputWriter.finish()
                        case .kill:
                            isWanted = true
                            try? execution.send(signal: .kill)
                        }
                    }
                    try? execution.send(signal: .kill)
                    return isWanted
                }
            }
            if !result.closureResult { how = ChildEnd(result.terminationStatus) }
        } catch is CancellationError {
        } catch {
            how = .notStarted("\(configuration.executable) can't be run: \(error)")
        }
        end(how?.description ?? "it was stopped")
        return how
    }

    /// Tells all who wait that nothing comes any more.
    private func end(_ how: String) {
        command.finish()
        let (waiters, question, reason) = state.withLock { state in
            state.hasEnded = true
            defer { (state.greetingWaiters, state.question) = ([], nil) }
            return (state.greetingWaiters, state.question, state.reason ?? Self.crash(how))
        }
        for waiter in waiters { waiter.resume(returning: .failure(reason)) }
        question?.fail(reason)
    }

    /// Takes what it says; after something that makes no sense it is done with.
    private func listen(_ output: SubprocessOutputSequence) async {
        do {
            for try await buffer in output {
                let frames = try state.withLock { state in
                    buffer.withUnsafeBytes { state.reader.append($0) }
                    var frames: [ListerFrame] = []
                    while let frame = try state.reader.next() { frames.append(frame) }
                    return frames
                }
                for frame in frames { try take(frame) }
            }
        } catch let error as Misbehaviour {
            misbehaved(error.description)
        } catch let error as FrameError {
            misbehaved(error.description)
        } catch {
            // The pipe broke with the process, whose end is told by itself.
        }
    }

    private func misbehaved(_ what: String) {
        kill(because: ListerFailure("reader_crashed", "the process that reads pages misbehaved: \(what)"))
    }

    private func take(_ frame: ListerFrame) throws {
        if frame.kind == .greeting { return try take(greeting: frame) }
        let tell = try state.withLock { state in
            guard var question = state.question else {
                throw Misbehaviour("an answer that nobody asked for")
            }
            let tell = try question.take(frame)
            state.question = tell == nil ? question : nil
            return tell
        }
        tell?()
    }

    private func take(greeting frame: ListerFrame) throws {
        guard var greeting = try? frame.decode(ListerGreeting.self),
            greeting.version == ListerGreeting.current
        else { throw Misbehaviour("speaks another version; install the lister that came with this daemon") }
        greeting.problems = greeting.problems.prefix(Self.mostProblems).map {
            .init(field: $0.field.limited(toBytes: 100), message: $0.message.limited(toBytes: 2000))
        }
        greeting.warning = greeting.warning?.limited(toBytes: 2000)
        let said = greeting
        let waiters = try state.withLock { state in
            guard state.greeting == nil else { throw Misbehaviour("a second greeting") }
            state.greeting = .success(said)
            defer { state.greetingWaiters = [] }
            return state.greetingWaiters
        }
        for waiter in waiters { waiter.resume(returning: .success(said)) }
    }

    /// Passes on what it says on standard error; one that floods it is done with.
    private func log(_ output: SubprocessOutputSequence) async {
        var lines = ChildLines()
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { lines.append($0, voices.pass) }
                let length = state.withLock { state in
                    state.complaints += buffer.count
                    return state.complaints
                }
                if length > Self.longestComplaint { return misbehaved("a flood on standard error") }
            }
        } catch {
            // The pipe broke with the process.
        }
        lines.end(voices.pass)
    }
}
