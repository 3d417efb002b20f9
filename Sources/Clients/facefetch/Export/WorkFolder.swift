import Glibc

/// A hidden folder beside what an export is to bring, in which that is made.
///
/// It has a mark inside, by which the next export knows it for what was left by one that was killed: a name could be
/// that of anybody's folder.
final class WorkFolder {
    /// The folder's path.
    let path: String
    /// The open folder.
    let descriptor: Int32
    private let target: String

    /// The name of the mark, an empty file.
    private static let mark = ".facefetch-export"

    /// Makes a folder, and removes what exports to the same target have left that were killed.
    ///
    /// - Throws: ``ClientError`` when there can be none.
    init(beside target: String) throws(ClientError) {
        Leftovers.remove(beside: target)
        path = FilePath.temporary(beside: target)
        self.target = target
        guard mkdir(path, 0o777) == 0 else { throw ByteFile.failure(target, errno) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let made = openat(descriptor, Self.mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard made >= 0 else {
            let number = errno
            rmdir(path)
            throw ByteFile.failure(target, number)
        }
        close(made)
        Leftovers.claim(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the mark away: what is in the folder is whole.
    ///
    /// - Throws: ``ClientError`` when it can't be.
    func unmark() throws(ClientError) {
        guard unlinkat(descriptor, Self.mark, 0) == 0 else { throw ByteFile.failure(target, errno) }
    }

    /// Returns whether an open folder has the mark.
    static func isMarked(_ folder: Int32) -> Bool {
        var status = stat()
        return fstatat(folder, mark, &status, AT_SYMLINK_NOFOLLOW) == 0 && FilePath.isFile(status.st_mode)
            && status.st_size == 0
    }
}
