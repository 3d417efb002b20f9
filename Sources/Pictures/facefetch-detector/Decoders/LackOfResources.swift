import Glibc

/// The error that the machine lacks something needed to look at a picture, which says nothing about the
/// picture.
struct LackOfResources: Error, CustomStringConvertible {
    /// The outcome reported for a file.
    static let outcome = "out_of_resources"

    /// The shortage and its cause, as the end of a sentence about the picture.
    let description: String

    /// Recognizes a lack behind a failed system call; nil if it failed for another reason.
    init?(_ number: Int32, of what: String) {
        switch number {
        // Processes and memory; descriptors, of the process and of the machine; those that sockets hold.
        case EAGAIN, ENOMEM, EMFILE, ENFILE, ENOBUFS, ETOOMANYREFS: break
        default: return nil
        }
        description = "\(what) is not available now: \(String(cString: strerror(number)))"
    }
}
