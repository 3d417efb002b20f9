import Glibc

/// Leftovers of exports that were killed, beside the files and folders that they were writing.
///
/// An export holds a lock (flock(2)) on what it writes for as long as it runs, whatever its process is called
/// where others see it, in a container for example.
enum Leftovers {
    /// Takes the lock that says that a file or folder is being written.
    static func claim(_ descriptor: Int32) { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Removes what exports to the same path have left, as far as it is ours and certainly nobody writes it.
    static func remove(beside path: String) {
        remove(from: FilePath.folder(path), prefix: FilePath.temporaryPrefix(path))
    }

    /// Removes what exports have left in a folder under names of this kind, which the number of a process follows.
    static func remove(from folder: String, prefix: String) {
        for name in NewFolder.names(folder) {
            guard let process = process(in: name, behind: prefix), !isRunning(process) else { continue }
            removeUnclaimed(folder + "/" + name)
        }
    }

    /// The process that has given a name; nil if the name isn't exactly as ``FilePath/temporary(beside:)`` makes it.
    private static func process(in name: String, behind prefix: String) -> pid_t? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let words = name.utf8.dropFirst(prefix.utf8.count).split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        let areNumbers = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard areNumbers, words.count <= 2, let first = words.first else { return nil }
        return pid_t(String(decoding: first, as: UTF8.self))
    }

    private static func isRunning(_ process: pid_t) -> Bool {
        process == getpid() || kill(process, 0) == 0 || errno != ESRCH
    }

    private static func removeUnclaimed(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        if FilePath.isFile(status.st_mode) { unlink(path) }
        if FilePath.isFolder(status.st_mode) { NewFolder.remove(path) }
    }
}
