import ChildProcess
import ChildProtocol
import DetectorProtocol
import JobCore
import Subprocess
import Synchronization
import SystemPackage

/// A detector process, from its start to its end.
final class DetectorProcess: Sendable {
    /// An event from the process.
    enum Event: Sendable {
        case greeting(DetectorGreeting)
        case response(DetectorResponse, thumbnail: [UInt8]?)
        case misbehaviour(Misbehaviour)
    }

    /// The last message to the process.
    private enum Farewell: Sendable { case none, finish, kill }

    /// The way in which a process has ended.
    enum End: Sendable {
        /// The process was killed on request.
        case killed
        /// The process ended because it was told to finish.
        case finished
        /// The process ended by itself because the machine lacks something that it needs.
        case lacking
        /// The process ended by itself, or could not be started.
        case unexpected(ChildEnd)
    }

    private enum Command: Sendable {
        case send(DetectorRequest)
        case finish
        case kill
    }

    private let configuration: DetectorPoolConfiguration
    private let voices: ChildVoices
    /// The bytes on standard error since its greeting or its last answer.
    private let complaints = Mutex(0)
    /// The limit on those; an honest detector prints a line or two about a broken picture.
    private static let longestComplaint = 1 << 20
    private let commands: AsyncStream<Command>
    private let command: AsyncStream<Command>.Continuation

    init(configuration: DetectorPoolConfiguration, voices: ChildVoices) {
        self.configuration = configuration
        self.voices = voices
        (commands, command) = AsyncStream.makeStream()
    }

    /// Sends a request once the process is running.
    func send(_ request: DetectorRequest) { command.yield(.send(request)) }

    /// Closes the process's standard input, so that it ends once it has answered.
    func finish() { command.yield(.finish) }

    /// Kills the process at once, even one that hasn't started yet.
    func kill() { command.yield(.kill) }

    /// Runs the process until it has ended, and returns how.
    ///
    /// Events come in order and never after the return. Cancelling kills the process.
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
                    // A trivial type on purpose: the optimizer of Swift 6.3.1 crashes on an optional
                    // End.
                    var farewell = Farewell.none
                    group.addTask { await self.log(execution.standardError, receive) }
                    group.addTask {
                        await self.read(execution.standardOutput, receive)
                        // A process that has closed its standard output won't answer any more.
                        self.command.finish()
                    }
                    for await command in commands {
                        switch command {
                        case .send(let request):
                            await write(request, to: execution.standardInputWriter)
                        case .finish:
                            farewell = .finish
                            // This only fails if the process has gone.
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
            case .none: .unexpected(ChildEnd(result.terminationStatus))
            case .finish: .finished
            case .kill: .killed
            }
        } catch is CancellationError {
            return .killed
        } catch {
            return .unexpected(.notStarted("\(configuration.executable) can't be run: \(error)"))
        }
    }

    /// Sends a request; errors are ignored, since writes only fail if the process has gone.
    private func write(_ request: DetectorRequest, to writer: StandardInputWriter) async {
        guard let frame = try? DetectorFrame.encode(request) else { return }
        _ = try? await writer.write(frame)
    }

    /// Reads messages until the end, discarding everything after a broken one.
    private func read(_ output: SubprocessOutputSequence, _ receive: (Event) -> Void) async {
        var speech = DetectorSpeech()
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { speech.append($0) }
                while let message = try speech.next() {
                    complaints.withLock { $0 = 0 }
                    switch message {
                    case .greeting(let greeting): receive(.greeting(greeting))
                    case .answer(let answer, let thumbnail): receive(.response(answer, thumbnail: thumbnail))
                    }
                }
            }
        } catch let misbehaviour as Misbehaviour {
            receive(.misbehaviour(misbehaviour))
        } catch let error as FrameError {
            receive(.misbehaviour(Misbehaviour(error.description)))
        } catch {
            // The pipe broke when the process ended, which is reported separately.
        }
    }

    /// Passes on what the process prints on standard error; one that floods it is given up.
    ///
    /// All output is read, since a detector that prints much would otherwise block for ever.
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
            // The pipe broke when the process ended.
        }
        lines.end(voices.pass)
    }
}
