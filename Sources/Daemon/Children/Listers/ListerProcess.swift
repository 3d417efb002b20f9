import SourceCore
import Synchronization

/// One lister process, which reads the pages of one recipe, one at a time.
final class ListerProcess: Sendable {
    private struct State {
        var greeting: Result<ListerGreeting, ListerFailure>?
        var greetingWaiters: [CheckedContinuation<Result<ListerGreeting, ListerFailure>, Never>] = []
        var question: Question?
        var hasEnded = false
        /// The reason why it was ended by us, for those who wait.
        var reason: ListerFailure?
    }

    /// A question that was asked, what has come of its answer, and who waits for it.
    private enum Question {
        case page(AnswerInParts, CheckedContinuation<Result<ListerAnswer, ListerFailure>, Never>)
        case recipe(AnsweredRecipe, CheckedContinuation<Result<RecipeAnswer, ListerFailure>, Never>)

        /// Adds a frame; returns what tells who waits, once the answer is complete.
        mutating func receive(_ frame: ListerFrame) throws(Misbehaviour) -> (@Sendable () -> Void)? {
            switch self {
            case .page(var answer, let waiter):
                guard let result = try answer.receive(frame) else {
                    self = .page(answer, waiter)
                    return nil
                }
                return { waiter.resume(returning: result) }
            case .recipe(let answer, let waiter):
                let result = try answer.receive(frame)
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

    let program: ListerProgram
    private let configuration: ListerPoolConfiguration
    private let state = Mutex(State())
    private let child: Child<ListerSpeech>

    init(program: ListerProgram, configuration: ListerPoolConfiguration, voices: ChildVoices) {
        self.program = program
        self.configuration = configuration
        child = Child(configuration.program, ListerSpeech(), hear: voices.pass)
        if let frame = try? ListerFrame(.program, program) { child.send(frame.bytes) }
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
            return nil
        }
        if let reason { return question.fail(reason) }
        child.send(frame.bytes)
    }

    /// Ends it once it has nothing more to say.
    func finish() { child.finish() }

    /// Ends it at once; who waits is told why.
    func kill(because reason: ListerFailure) {
        note(reason)
        child.kill()
    }

    /// Ends it after a while, unless the task that this returns is cancelled before; who waits is told why.
    func limit(_ time: Duration, because reason: ListerFailure) -> Task<Void, Never> {
        child.limit(time) { self.note(reason) }
    }

    private func note(_ reason: ListerFailure) { state.withLock { $0.reason = $0.reason ?? reason } }

    static func crash(_ how: String) -> ListerFailure {
        ListerFailure("reader_crashed", "the process that reads pages is gone: \(how)")
    }

    /// Runs the process to its end; gives back how that was, unless it was as wanted.
    func run() async -> ChildEnd? {
        if let missing = configuration.missingProgram {
            note(missing)
            end(missing.message)
            return nil
        }
        let outcome = await child.run { (message) throws(Misbehaviour) in
            switch message {
            case .greeting(let greeting): self.greeted(greeting)
            case .part(let frame): try self.receive(frame)
            }
        } misbehaved: { what in
            let words = "the process that reads pages misbehaved: \(what)"
            self.note(ListerFailure("reader_crashed", words))
        }
        guard case .unexpected(let how) = outcome else {
            end("it was stopped")
            return nil
        }
        end(how.description)
        return how
    }

    /// Tells all who wait that nothing comes any more.
    private func end(_ how: String) {
        let (waiters, question, reason) = state.withLock { state in
            state.hasEnded = true
            defer { (state.greetingWaiters, state.question) = ([], nil) }
            return (state.greetingWaiters, state.question, state.reason ?? Self.crash(how))
        }
        for waiter in waiters { waiter.resume(returning: .failure(reason)) }
        question?.fail(reason)
    }

    private func greeted(_ greeting: ListerGreeting) {
        let waiters = state.withLock { state in
            state.greeting = .success(greeting)
            defer { state.greetingWaiters = [] }
            return state.greetingWaiters
        }
        for waiter in waiters { waiter.resume(returning: .success(greeting)) }
    }

    /// Adds a part to the answer that is awaited.
    private func receive(_ frame: ListerFrame) throws(Misbehaviour) {
        let tell = try state.withLock { (state) throws(Misbehaviour) -> (@Sendable () -> Void)? in
            guard var question = state.question else {
                throw Misbehaviour("an answer that nobody asked for")
            }
            let tell = try question.receive(frame)
            state.question = tell == nil ? question : nil
            return tell
        }
        tell?()
    }
}
