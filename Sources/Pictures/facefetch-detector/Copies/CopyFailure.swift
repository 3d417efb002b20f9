import Glibc

/// The reason why a copy can't be written, as part of a sentence for people.
struct CopyFailure: Error, CustomStringConvertible {
    /// The problem.
    let description: String
    /// True if no other copy can be written either.
    let isOfFolder: Bool

    init(_ description: String, isOfFolder: Bool = false) {
        self.description = description
        self.isOfFolder = isOfFolder
    }

    /// Creates the failure of a folder that can't be made or opened.
    init(folder: String, _ what: String, errno number: Int32) {
        description = "the folder \(folder) can't be \(what): \(String(cString: strerror(number)))"
        isOfFolder = true
    }

    /// Creates the failure of a system call for a file in the folder.
    init(_ name: String, errno number: Int32) {
        description = "\(name) can't be written: \(String(cString: strerror(number)))"
        switch number {
        // Of the name, and of what has it.
        case EEXIST, EISDIR, ENOTEMPTY, ENAMETOOLONG, EILSEQ, EINVAL: isOfFolder = false
        default: isOfFolder = true
        }
    }
}
