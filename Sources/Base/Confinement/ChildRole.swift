/// The words for people about children of one kind: what they are called, read and do.
public struct ChildRole: Sendable {
    /// Such a child, such as `decoder`.
    public var child: String
    /// The thing that one of them reads, such as `picture`.
    public var input: String
    /// Their work, such as `pictures are decoded`.
    public var work: String
    /// The way to do without Landlock where it is missing and required, such as `leave out --require-landlock`.
    public var withoutLandlock: String

    public init(child: String, input: String, work: String, withoutLandlock: String) {
        self.child = child
        self.input = input
        self.work = work
        self.withoutLandlock = withoutLandlock
    }

    /// Throws if a kernel has no Landlock where that is required.
    func check(landlock version: Int32, isRequired: Bool) throws(SandboxFailure) {
        guard version > 0 || !isRequired else {
            throw SandboxFailure(
                "this kernel has no Landlock; enable it (lsm=landlock,…), or \(withoutLandlock)"
            )
        }
    }
}
