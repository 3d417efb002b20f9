import Glibc
import Subprocess

/// A program to run as a child.
public struct ChildProgram: Hashable, Sendable {
    /// The program's path.
    public var executable: String
    /// Its arguments.
    public var arguments: [String]

    /// Creates a program with its arguments.
    public init(_ executable: String, _ arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }
}

/// The environment of a child: what it needs to start, and none of the daemon's own.
enum ChildEnvironment {
    private static let names: [Environment.Key] = ["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR"]

    /// The environment of a child.
    static func inherited() -> Environment {
        // Libraries that start a thread a core when they are loaded would get
        // in the way of the sandbox, which has to come before any thread.
        var variables: [Environment.Key: String] = ["OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"]
        // Swift's own handler of crashes makes calls that the sandbox takes for an attack.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        for name in names {
            if let value = getenv(name.rawValue) { variables[name] = String(cString: value) }
        }
        return .custom(variables)
    }
}
