import CFuzzer
import Glibc

/// The entry points that libFuzzer calls with each input.
///
/// Its callback is given the bytes and nothing else, and the arguments are libFuzzer's own: so the
/// environment says what is fuzzed.
enum FuzzedTrial {
    /// The name of the trial, as the environment gives it.
    static let name = environment("FACEFETCH_TRIAL")
    /// The trial of that name.
    static let trial = name.flatMap(ParserTrial.init)
    /// True if there is a bug to be found.
    static let hasPlantedBug = environment("FACEFETCH_PLANTED_BUG") == "1"

    /// Runs libFuzzer until it has found something or has had its time; gives its status.
    static func run(_ trial: ParserTrial) -> Int32 {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        return LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            FuzzedTrial.read(Array(UnsafeBufferPointer(start: data, count: size)))
        }
    }

    /// Ends the process where the reader breaks a promise: libFuzzer then keeps the bytes.
    ///
    /// Of what the reader refuses nothing leads to the planted bug, which is behind it: -1 has libFuzzer not
    /// go on from there ("Rejecting Unwanted Inputs" in its documentation). Otherwise most of what it tries ends
    /// in the many ways to refuse something.
    private static func read(_ bytes: [UInt8]) -> Int32 {
        guard let trial else { return 0 }
        do throws(BrokenPromise) {
            guard hasPlantedBug else {
                _ = try trial.read(bytes)
                return 0
            }
            guard let text = try trial.read(bytes) else { return -1 }
            if PlantedBug.isHit(by: text) { stop("the planted bug was found") }
            return 0
        } catch {
            stop("a promise is broken: \(error)")
        }
    }

    private static func stop(_ reason: String) -> Never {
        let line = Array("\(trial?.rawValue ?? ""): \(reason)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
