/// A program to run as a child.
public struct ChildProgram: Hashable, Sendable {
    /// The program's path.
    public var executable: String
    /// Its arguments.
    public var arguments: [String]

    public init(_ executable: String, _ arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }
}
