import ChildProcess
import DetectorProtocol
import Subprocess
import Synchronization
import SystemPackage

/// One detector process, from its start to its end.
final class DetectorProcess: Sendable {
    /// An event that comes from the process.
    enum Event: Sendable {
        case greeting(DetectorGreeting)
        case response(DetectorResponse)
        case misbehaviour(Misbehaviour)
    }

    /// The last word to the process.
    private enum Farewell: Sendable { case none, finish, kill }

    /// The way in which a process has ended.
    enum End: Sendable {
        /// We have killed it.
        case killed
        /// We have told it that nothing more comes.
        case finished
        /// By itself, because the machine has run out of something that it needs.
        case lacking
        /// By itself, or it couldn't be started.
        case unexpected(String)
    }

    private enum Command: Sendable {
        case send(DetectorRequest)
        case finish
        case kill
    }

    private let configuration: DetectorPoolConfiguration
    private let voices: ChildVoices
    /// Bytes on standard error since it was greeted or answered last.
    private let complaints = Mutex(0)
    /// The most of them: an honest detector says a line or two of a broken picture.
    private static let longestComplaint = 1 << 20
    private let commands: AsyncStream<Command>
    private let command: AsyncStream<Command>.Continuation

    init(configuration: DetectorPoolConfiguration, voices: ChildVoices) {
        self.configuration = configuration
        self.voices = voices
        (commands, command) = AsyncStream.makeStream()
    }

    /// Sends a request, once the process runs.
    func send(_ request: DetectorRequest) { command.yield(.send(request)) }

    /// Closes the process's standard input, so that it ends once it has answered.
    func finish() { command.yield(.finish) }

    /// Ends the process at once; also one that hasn't started yet.
    func kill() { command.yield(.kill) }

    /// Runs the process until it has ended; gives back how.
    ///
    /// Events come in order, never after the return. Cancelling kills the process.
    func run(_ receive: @escaping @Sendable (Event) -> Void) async -> End {
        defer { command.finish() }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(configuration.executable)),
                arguments: Arguments(configuration.arguments),
                environment: ChildEnvironment.inherited(),
                input: .inputWriter,
                output: .sequence,
                error: .sequence
            ) { execution in
                await withTaskGroup(of: Void.self, returning: Farewell.self) { group in
                    // Trivial on purpose: the optimizer of Swift 6.3.1 ends in a fault over an optional End.
                    var farewell = Farewell.none
                    group.addTask { await self.log(execution.standardError, receive) }
                    group.addTask {
                        await self.read(execution.standardOutput, receive)
                        // Whoever has closed its standard output has no more to say.
                        self.command.finish()
                    }
                    for await command in commands {
                        switch command {
                        case .send(let request):
                            await write(request, to: execution.standardInputWriter)
                        case .finish:
                            farewell = .finish
                            // Fails only where the process is gone.
                            try? await execution.standardInputWriter.finish()
                        case .kill:
                            farewell = .kill
                            try? execution.send(signal: .kill)
                        }
                    }
                    try? execution.send(signal: .kill)
                    return farewell
                }
            }
            return switch result.closureResult {
            case .none where result.terminationStatus == .exited(DetectorExit.outOfResources): .lacking
            case .none: .unexpected(describe(result.terminationStatus))
            case .finish: .finished
            case .kill: .killed
            }
        } catch is CancellationError {
            return .killed
        } catch {
            return .unexpected("\(configuration.executable) can't be run: \(error)")
        }
    }

    private func describe(_ status: TerminationStatus) -> String {
        switch status {
        case .exited(let code): "exit status \(code)"
        case .signaled(let signal): "signal \(signal)"
        }
    }

    /// A write fails only when the process is gone, which its end will tell.
    private func write(_ request: DetectorRequest, to writer: StandardInputWriter) async {
        guard let frame = try? DetectorFrame.encode(request) else { return }
        _ = try? await writer.write(frame)
    }

    /// Reads messages until the end; after a broken one the rest is thrown away.
    private func read(_ output: SubprocessOutputSequence, _ receive: (Event) -> Void) async {
        var decoder = FrameDecoder()
        var greeted = false
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { decoder.append($0) }
                if !greeted, let greeting = try decoder.next(DetectorGreeting.self) {
                    greeted = true
                    complaints.withLock { $0 = 0 }
                    receive(.greeting(greeting))
                }
                while greeted, let response = try decoder.next(DetectorResponse.self) {
                    complaints.withLock { $0 = 0 }
                    receive(.response(response))
                }
            }
        } catch let error as FrameError {
            receive(.misbehaviour(Misbehaviour(error.description)))
        } catch {
            // The pipe broke with the process, whose end is told by itself.
        }
    }

    /// Passes on what the process says on standard error; one that floods it is done with.
    ///
    /// Whatever it says is read, or a detector that says much would wait for ever.
    private func log(_ output: SubprocessOutputSequence, _ receive: (Event) -> Void) async {
        var lines = ChildLines()
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { lines.append($0, voices.pass) }
                let length = complaints.withLock { length in
                    length += buffer.count
                    return length
                }
                guard length <= Self.longestComplaint else {
                    return receive(.misbehaviour(Misbehaviour("a flood on standard error")))
                }
            }
        } catch {
            // The pipe broke with the process.
        }
        lines.end(voices.pass)
    }
}
