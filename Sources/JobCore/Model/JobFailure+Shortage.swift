/// Shortages of a machine, which pass by themselves.
extension JobFailure {
    /// The failure for an error number that says that the machine runs short of something; nil for others.
    ///
    /// Such a number says nothing of the file in question: what is there of it stays, and the job waits.
    /// The numbers are Linux's on every processor (errno(3)).
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
