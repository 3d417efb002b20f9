import Glibc
import SmallFiles
import Vocabulary

/// The program's output.
enum Output {
    /// Prints a line on standard error.
    static func note(_ line: String) { write(line.withoutSteering(keeping: "\n") + "\n", to: STDERR_FILENO) }

    /// Prints a line on standard output.
    static func line(_ line: String) { write(line.withoutSteering(keeping: "\n") + "\n", to: STDOUT_FILENO) }

    /// Prints a line on standard output of which none may be left out: whoever goes on behind the last one would
    /// never see it.
    ///
    /// - Throws: ``FleetFailure`` if it can't be written
    static func record(_ line: String) throws(FleetFailure) {
        try bytes(Array((line.withoutSteering(keeping: "\n") + "\n").utf8))
    }

    /// Writes bytes as they are on standard output.
    ///
    /// - Throws: ``FleetFailure`` if they can't be written
    static func bytes(_ bytes: [UInt8]) throws(FleetFailure) {
        do throws(FileFailure) { try WholeFile.write(bytes, to: STDOUT_FILENO) } catch {
            throw FleetFailure(.unsuccessful, "Standard output can't be written: \(error).")
        }
    }

    private static func write(_ text: String, to file: Int32) {
        try? WholeFile.write(Array(text.utf8), to: file)
    }
}
