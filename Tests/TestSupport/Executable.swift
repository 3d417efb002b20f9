import Foundation

/// Makes files that can be run.
///
/// A file can't be run while anybody has it open for writing (ETXTBSY, execve(2)), and a child that another test
/// starts at that moment has, until it runs its own program. So another process does the writing, whose
/// descriptors nobody inherits.
public enum Executable {
    /// The file could not be made.
    public struct Failure: Error, CustomStringConvertible {
        /// The words of install(1).
        public let description: String
    }

    /// Writes a script.
    public static func write(_ script: String, to path: String) throws {
        let draft = path + ".draft"
        try Data(script.utf8).write(to: URL(filePath: draft))
        defer { try? FileManager.default.removeItem(atPath: draft) }
        try copy(draft, to: path)
    }

    /// Copies a program.
    public static func copy(_ source: String, to path: String) throws {
        let (status, output) = try Shell.run(["/usr/bin/install", "-m", "755", source, path])
        guard status == 0 else { throw Failure(description: output) }
    }
}
