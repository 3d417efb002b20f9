import Glibc

/// That the machine has run out of something that looking at a picture needs, which says nothing of
/// the picture.
struct LackOfResources: Error, CustomStringConvertible {
    /// What the outcome is of a file that a person has named.
    static let outcome = "out_of_resources"

    /// What couldn't be had, and why, as the end of a sentence about the picture.
    let description: String

    /// The lack behind a system call that failed; nil where it failed for another reason.
    init?(_ number: Int32, of what: String) {
        switch number {
        // Processes and memory; descriptors, here and on the machine; what sockets hold of either.
        case EAGAIN, ENOMEM, EMFILE, ENFILE, ENOBUFS, ETOOMANYREFS: break
        default: return nil
        }
        description = "\(what) is not available now: \(String(cString: strerror(number)))"
    }
}
