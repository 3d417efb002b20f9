import ArgumentParser
import Confinement
import DetectorProtocol
import Glibc

/// The error of a process that should have decoded a picture and did something else.
struct LostDecoder: Error, CustomStringConvertible {
    /// The picture's outcome.
    static let outcome = "crashed"

    /// The event, as the end of a sentence about the picture.
    let description: String
    /// The signal that ended the process, where one did.
    private(set) var signal: Int32?

    private init(signal: Int32? = nil, _ description: String) {
        self.signal = signal
        self.description = description
    }

    /// Ends this process, too, with a status that says what happened.
    ///
    /// - Throws: always.
    func end(at path: String) throws -> Never {
        guard let signal else { throw SandboxFailure("\(path.debugDescription): \(self)") }
        Streams.say("Error: \(path.debugDescription): \(self)", to: STDERR_FILENO)
        throw ExitCode(DetectorExit.decoderSignalled + signal)
    }

    /// The process sent something that no decoder would send.
    static let misbehaved = LostDecoder("the decoder's answer makes no sense")

    /// Returns the error that no process could be started.
    static func none(_ cause: Int32) -> LostDecoder {
        LostDecoder("no decoder can be started: \(String(cString: strerror(cause)))")
    }

    /// Creates the error for the way a process has ended; nil if nothing is wrong with that.
    init?(_ ending: ChildEnding, limit: Duration) {
        switch ending.way {
        case .well: return nil
        case .tooMuchMemory: self.init("the decoder had not enough memory")
        case .timedOut: self.init("the decoder took longer than \(limit)" + Self.wishes(ending))
        case .notConfined: self.init("the decoder's sandbox can't be set up")
        case .status(let status): self.init("the decoder ended with status \(status)")
        case .forbiddenCall:
            self.init(
                signal: ending.signal,
                "the decoder made a system call that no decoder makes, and was killed for it; "
                    + "the picture may be an attack (the kernel's log names the call)"
            )
        case .signal(let signal):
            self.init(
                signal: signal,
                "the decoder was killed by signal \(signal)" + Self.wishes(ending)
            )
        }
    }

    private static func wishes(_ ending: ChildEnding) -> String {
        !ending.wasRefused
            ? ""
            : ", having tried to open \(ending.refusedOpens) files "
                + "and to start \(ending.refusedThreads) threads too many"
    }
}
