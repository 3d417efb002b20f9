import ExportFormats
import Glibc
import SmallFiles

/// Leftovers of exports that were killed, beside the files and folders that they were writing.
///
/// An export holds a lock (flock(2)) on what it writes for as long as it runs, whatever its process is called
/// where others see it, in a container for example. What has the name of a leftover may be anybody's all the same:
/// a leftover also shows inside that it is one.
enum Leftovers {
    /// Takes the lock that says that a file or folder is being written.
    static func claim(_ descriptor: Int32) { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Removes what exports to the same path have left, as far as it is ours and certainly nobody writes it.
    static func remove(beside path: String) {
        let folder = FilePath.folder(path)
        for name in names(in: folder, behind: FilePath.temporaryPrefix(path)) {
            let path = folder + "/" + name
            guard let found = claimed(path), FilePath.isFolder(found.mode),
                WorkFolder.isMarked(found.descriptor)
            else { continue }
            NewFolder.remove(path)
        }
    }

    /// Removes unfinished sidecars that exports have left in the folder of a document, unless a link leads to it, under
    /// names of this kind, which the number of a process follows.
    static func removeSidecars(beside document: InnerPath, prefix: String) {
        do throws(FileFailure) { close(try document.openFolder()) } catch { return }
        for name in names(in: document.folder, behind: prefix) {
            let path = document.folder + "/" + name
            guard let found = claimed(path), FilePath.isFile(found.mode), found.isSidecar else { continue }
            unlink(path)
        }
    }

    /// The names in a folder that processes have given that are over.
    private static func names(in folder: String, behind prefix: String) -> [String] {
        NewFolder.names(folder).filter { process(in: $0, behind: prefix).map { !isRunning($0) } ?? false }
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

    /// Opens what belongs to this user, unless somebody writes it.
    private static func claimed(_ path: String) -> Found? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let found = Found(descriptor: descriptor)
        guard found.user == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return found
    }

    /// Something that has the name of a leftover, and is open.
    private final class Found {
        let descriptor: Int32
        private(set) var mode: mode_t = 0
        private(set) var user = uid_t.max

        init(descriptor: Int32) {
            self.descriptor = descriptor
            var status = stat()
            if fstat(descriptor, &status) == 0 { (mode, user) = (status.st_mode, status.st_uid) }
        }

        deinit { close(descriptor) }

        /// True if it begins as a sidecar of ours does, as far as it goes.
        var isSidecar: Bool {
            var pieces = Pieces(descriptor, ofAtMost: 4096)
            do throws(FileFailure) { return XMPSidecar.isBegun(Array(try pieces.next() ?? [])) } catch {
                return false
            }
        }
    }
}
