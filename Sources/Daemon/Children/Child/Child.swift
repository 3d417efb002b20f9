import Glibc
import Subprocess
import Synchronization
import SystemPackage
import Vocabulary

/// From the first child on, SIGPIPE is ignored in the whole process: a message to a child that has gone would
/// end it, and a pipe has no flag against that.
private let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

/// A child of any kind, from its start to its end: what is sent to it, what it says, and how it ends.
///
/// A child has read bytes from strangers, who may speak through it. It is killed as soon as it says what no honest
/// one says, or floods standard error.
final class Child<Speech: ChildSpeech>: Sendable {
    private struct State {
        var speech: Speech
        /// The bytes on standard error since the last message to it.
        var complaints = 0
        /// The reason why it was killed, if it broke the protocol.
        var misbehaviour: Misbehaviour?
    }

    private enum Command: Sendable { case finish, kill }

    /// The last command.
    ///
    /// A trivial type on purpose: the optimizer of Swift 6.3.1 crashes on an optional outcome.
    private enum Farewell: Sendable { case none, finish, kill }

    private let program: ChildProgram
    private let hear: @Sendable (String) -> Void
    private let longestLine: Int
    private let state: Mutex<State>
    private let messages: AsyncStream<[UInt8]>
    private let message: AsyncStream<[UInt8]>.Continuation
    private let commands: AsyncStream<Command>
    private let command: AsyncStream<Command>.Continuation

    /// Creates a child that hasn't started yet.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - speech: How its messages are told apart.
    ///   - longestLine: The most bytes that are kept of a line on standard error.
    ///   - hear: Gets each line on standard error.
    init(
        _ program: ChildProgram,
        _ speech: Speech,
        longestLine: Int = ChildLines.longest,
        hear: @escaping @Sendable (String) -> Void
    ) {
        self.program = program
        self.hear = hear
        self.longestLine = longestLine
        state = Mutex(State(speech: speech))
        (messages, message) = AsyncStream.makeStream()
        (commands, command) = AsyncStream.makeStream()
    }

    /// Sends it a message once it is running.
    ///
    /// `prepare` says what answer is awaited, where that depends on the message.
    func send(_ frame: [UInt8], _ prepare: (inout Speech) -> Void = { _ in }) {
        state.withLock { state in
            state.complaints = 0
            prepare(&state.speech)
        }
        message.yield(frame)
    }

    /// Closes its standard input behind the messages so far, so that it ends once it has answered.
    func finish() { command.yield(.finish) }

    /// Kills it at once, even one that hasn't started yet.
    func kill() { command.yield(.kill) }

    /// Kills it after a while, unless the task that this returns is cancelled before; `late` is called then.
    func limit(_ time: Duration, late: @escaping @Sendable () -> Void = {}) -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: time)) != nil else { return }
            late()
            kill()
        }
    }

    /// Runs it until it has ended, and returns how.
    ///
    /// `said` gets each message in order, and may throw where it makes no sense to whoever knows what was asked.
    /// `misbehaved` is called at most once, with what the child is killed for. Neither is called after the return.
    /// Cancelling kills the child.
    func run(
        said: @escaping @Sendable (Speech.Message) throws(Misbehaviour) -> Void,
        misbehaved: @escaping @Sendable (Misbehaviour) -> Void
    ) async -> ChildOutcome {
        ignoresBrokenPipes
        defer {
            command.finish()
            message.finish()
        }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(program.executable)),
                arguments: Arguments(program.arguments),
                environment: ChildEnvironment.inherited(),
                input: .inputWriter,
                output: .sequence,
                error: .sequence
            ) { execution in
                await withTaskGroup(of: Void.self, returning: Farewell.self) { group in
                    var farewell = Farewell.none
                    group.addTask { await self.log(execution.standardError, misbehaved) }
                    group.addTask {
                        await self.listen(execution.standardOutput, said, misbehaved)
                        // One that has closed its standard output won't answer any more.
                        self.command.finish()
                    }
                    // Beside the commands: one that reads nothing can be killed all the same.
                    group.addTask { await self.write(to: execution.standardInputWriter) }
                    for await command in commands {
                        switch command {
                        case .finish:
                            farewell = .finish
                            message.finish()
                        case .kill:
                            farewell = .kill
                            try? execution.send(signal: .kill)
                        }
                    }
                    message.finish()
                    try? execution.send(signal: .kill)
                    return farewell
                }
            }
            if let misbehaviour = state.withLock(\.misbehaviour) { return .misbehaved(misbehaviour) }
            let end = ChildEnd(result.terminationStatus)
            return switch result.closureResult {
            case .none: .unexpected(end)
            case .finish: .finished(end)
            case .kill: .killed
            }
        } catch is CancellationError {
            return .killed
        } catch {
            return .unexpected(.notStarted("\(program.executable) can't be run: \(error)"))
        }
    }

    /// Writes the messages, then closes standard input.
    ///
    /// Either fails only if the process has gone, which its end tells.
    private func write(to writer: StandardInputWriter) async {
        for await frame in messages { _ = try? await writer.write(frame) }
        try? await writer.finish()
    }

    /// Hears what it says until the end; nothing more after something that makes no sense.
    private func listen(
        _ output: SubprocessOutputSequence,
        _ said: (Speech.Message) throws(Misbehaviour) -> Void,
        _ misbehaved: (Misbehaviour) -> Void
    ) async {
        do {
            for try await buffer in output {
                state.withLock { state in buffer.withUnsafeBytes { state.speech.append($0) } }
                do throws(Misbehaviour) {
                    while let message = try nextMessage() { try said(message) }
                } catch {
                    return end(for: error, misbehaved)
                }
            }
        } catch {
            // The pipe broke when the process ended, which is told by itself.
        }
    }

    private func nextMessage() throws(Misbehaviour) -> Speech.Message? {
        try state.withLock { (state) throws(Misbehaviour) in try state.speech.next() }
    }

    /// Passes on what it prints on standard error; one that floods it is done with.
    ///
    /// All of it is read, since one that prints much would otherwise block for ever.
    private func log(_ output: SubprocessOutputSequence, _ misbehaved: (Misbehaviour) -> Void) async {
        var lines = ChildLines(longest: longestLine)
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { lines.append($0, hear) }
                let length = state.withLock { state in
                    state.complaints += buffer.count
                    return state.complaints
                }
                if length > ChildLines.longestFlood {
                    return end(for: Misbehaviour("a flood on standard error"), misbehaved)
                }
            }
        } catch {
            // The pipe broke when the process ended.
        }
        lines.end(hear)
    }

    /// Kills it for something that it has said, and tells that, unless it is told already.
    private func end(for misbehaviour: Misbehaviour, _ misbehaved: (Misbehaviour) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.misbehaviour = state.misbehaviour ?? misbehaviour }
            return state.misbehaviour == nil
        }
        guard isFirst else { return }
        misbehaved(misbehaviour)
        kill()
    }
}
