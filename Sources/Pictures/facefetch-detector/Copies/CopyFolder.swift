import CLinux
import Glibc
import SmallFiles

/// The folder that copies are written into.
///
/// A copy is whole under its name or isn't there, even after a power cut. What a kill leaves has a name of
/// its own, is hidden, and goes with the next run.
final class CopyFolder {
    /// The beginning of the names of unfinished copies.
    static let prefix = ".facefetch-copy-"

    /// The folder's path, as it was given.
    let path: String
    private let directory: Int32
    private let identity: (device: dev_t, file: ino_t)
    private var number = 0

    /// Opens a folder, and removes what earlier runs have left unfinished in it; this process must not be
    /// confined yet.
    ///
    /// - Parameters:
    ///   - path: The folder; a link to one will do.
    ///   - isMaking: Whether to make it if it isn't there.
    init(_ path: String, isMaking: Bool) throws(CopyFailure) {
        if isMaking, mkdir(path, 0o777) != 0, errno != EEXIST {
            throw CopyFailure(folder: path, "made", errno: errno)
        }
        directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else {
            throw CopyFailure(folder: path, "opened", errno: errno)
        }
        self.path = path
        var status = stat()
        fstat(directory, &status)
        identity = (status.st_dev, status.st_ino)
        clean()
    }

    deinit { close(directory) }

    /// Returns whether there is something of this name, if only a link that leads nowhere.
    func has(_ name: String) -> Bool {
        var status = stat()
        return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns whether a file lies in this folder itself.
    func holds(_ file: String) -> Bool {
        var status = stat()
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        guard stat(folder, &status) == 0 else { return false }
        return status.st_dev == identity.device && status.st_ino == identity.file
    }

    /// Writes a file; returns false if there is one of this name, which is kept unless it is to be replaced.
    func put(_ bytes: [UInt8], named name: String, isReplacing: Bool) throws(CopyFailure) -> Bool {
        let (file, temporary) = try create(for: name)
        defer { close(file) }
        let written = write(bytes, to: file)
        let result = written == 0 ? publish(temporary, as: name, isReplacing: isReplacing) : written
        if result == 0 { return true }
        unlinkat(directory, temporary, 0)
        if result == EEXIST { return false }
        throw CopyFailure(name, errno: result)
    }

    /// Syncs the folder, so that the names in it survive a power cut.
    func sync() throws(CopyFailure) {
        guard fsync(directory) == 0 || errno == EINVAL || errno == EROFS else {
            throw CopyFailure(path, errno: errno)
        }
    }

    /// Makes a file of a name that nobody has, and locks it, so that no other run takes it for a leftover.
    private func create(for name: String) throws(CopyFailure) -> (file: Int32, name: String) {
        for _ in 0..<1000 {
            number += 1
            let temporary = "\(Self.prefix)\(getpid())-\(number)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = openat(directory, temporary, flags, 0o666)
            if file < 0, errno == EEXIST { continue }
            guard file >= 0 else { throw CopyFailure(name, errno: errno) }
            // Another run may have removed it before it was locked.
            var status = stat()
            if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK,
                fstat(file, &status) == 0, status.st_nlink > 0
            {
                return (file, temporary)
            }
            close(file)
        }
        throw CopyFailure(name, errno: EBUSY)
    }

    /// Writes all bytes and syncs them; 0, or the errno with which that failed.
    private func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
        do throws(FileFailure) { try WholeFile.write(bytes, to: file) } catch { return error.number }
        return fsync(file) == 0 ? 0 : errno
    }

    /// Gives a file its name; 0, or the errno with which that failed.
    private func publish(_ temporary: String, as name: String, isReplacing: Bool) -> Int32 {
        if isReplacing { return renameat(directory, temporary, directory, name) == 0 ? 0 : errno }
        if CLinux_rename_noreplace(directory, temporary, directory, name) == 0 { return 0 }
        guard errno == EINVAL else { return errno }
        // A file system that can't do this, such as NFS, may have links, which replace nothing either.
        guard linkat(directory, temporary, directory, name, 0) == 0 else { return errno }
        unlinkat(directory, temporary, 0)
        return 0
    }

    private func clean() {
        for name in (try? WholeFolder.names(path)) ?? [] {
            let numbers = name.dropFirst(Self.prefix.count).split(
                separator: "-",
                omittingEmptySubsequences: false
            )
            guard name.hasPrefix(Self.prefix), numbers.count == 2, numbers.allSatisfy({ UInt32($0) != nil })
            else { continue }
            let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { continue }
            var status = stat()
            // One that is locked is being written.
            if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                flock(file, LOCK_EX | LOCK_NB) == 0
            {
                unlinkat(directory, name, 0)
            }
            close(file)
        }
    }
}
