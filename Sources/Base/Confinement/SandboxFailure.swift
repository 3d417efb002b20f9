import Glibc

/// The reason why the sandbox could not be set up; nothing of a stranger's is read without it.
public struct SandboxFailure: Error, CustomStringConvertible {
    /// The failure as a sentence.
    public let description: String

    public init(_ description: String) { self.description = description }

    /// Creates the failure of a part of the sandbox, whose reason is in errno.
    public init(part: String) {
        self.init("the sandbox can't be set up: \(part): \(String(cString: strerror(errno)))")
    }
}
