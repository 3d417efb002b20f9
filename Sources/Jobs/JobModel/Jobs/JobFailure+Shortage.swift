/// Shortages of the machine, which pass by themselves.
extension JobFailure {
    /// True if the machine lacks something, so that the attempt doesn't count.
    public var isOfMachine: Bool { !Job.Shortages(code).isEmpty }

    /// Returns the failure for an error number that means that the machine has run out of something; nil
    /// for other numbers.
    ///
    /// Such an error says nothing about the file at hand, so the partial stays and the job waits. Linux
    /// uses the same numbers on every processor (errno(3)).
    public static func shortage(errorNumber: Int32) -> JobFailure? {
        switch errorNumber {
        case 12:  // ENOMEM
            JobFailure(.outOfResources, "the machine has no memory left")
        case 23:  // ENFILE
            JobFailure(.outOfResources, "the machine has no file descriptors left (fs.file-max)")
        case 24:  // EMFILE
            JobFailure(.outOfResources, "the daemon has no file descriptors left (LimitNOFILE= of its unit)")
        default: nil
        }
    }
}
