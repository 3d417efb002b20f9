import CLinux
import Glibc
import SmallFiles

/// A folder that takes its name when all that goes into it is there.
final class NewFolder {
    /// The folder to put things into meanwhile.
    var path: String { work.path }
    private let target: String
    private let work: WorkFolder
    private var isOver = false

    /// Begins a folder; an empty one may be in its place.
    ///
    /// - Throws: ``ClientError`` when there can be none.
    init(_ target: String) throws(ClientError) {
        // A slash at the end names the same folder.
        var target = target
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        if let mode = FilePath.mode(target) {
            guard FilePath.isFolder(mode), Self.isEmpty(target) else {
                throw .usage(
                    "\(target.safeForTerminal) is there already: name a new folder, or one that is empty."
                )
            }
        }
        self.target = FilePath.resolved(target)
        work = try WorkFolder(beside: self.target)
    }

    deinit { abandon() }

    /// The most bytes that a name in it may have: 255 on nearly all file systems, 143 on eCryptfs.
    var longestName: Int {
        let limit = fpathconf(work.descriptor, Int32(_PC_NAME_MAX))
        return limit > 0 ? limit : 255
    }

    /// Makes a folder in it.
    ///
    /// - Throws: ``ClientError`` when that can't be.
    func make(_ name: String) throws(ClientError) {
        guard mkdir(path + "/" + name, 0o777) == 0 else { throw ByteFile.failure(target, errno) }
    }

    /// Gives the folder its name, once all of it is on the disk.
    ///
    /// - Throws: ``ClientError`` when it can't be.
    func finish() throws(ClientError) {
        // Thousands of small files: one by one they would take minutes. Unlike sync(), this reports what
        // couldn't be written (syncfs(2), since Linux 5.8).
        guard CLinux_sync_file_system(work.descriptor) == 0 || errno == EINVAL || errno == ENOSYS else {
            throw ByteFile.failure(target, errno)
        }
        try work.unmark()
        guard rename(path, target) == 0 else { throw ByteFile.failure(target, errno) }
        isOver = true
        FilePath.sync(folder: FilePath.folder(target))
    }

    /// Removes the folder and its contents.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        Self.remove(path)
    }

    private static func isEmpty(_ path: String) -> Bool { names(path).isEmpty }

    /// The names in a folder; none if it can't be read.
    static func names(_ path: String) -> [String] { (try? WholeFolder.names(path)) ?? [] }

    /// The levels of folders that an export makes: one of documents has eight, within two of a bag.
    private static let levels = 12

    /// Removes a folder with what an export has put there.
    ///
    /// Links go, not what they lead to.
    static func remove(_ path: String) { remove(path, levels: levels) }

    private static func remove(_ path: String, levels: Int) {
        // A link that can't be removed is no folder, whatever it leads to.
        for name in names(path) where unlink(path + "/" + name) != 0 && errno == EISDIR {
            if levels > 0 { remove(path + "/" + name, levels: levels - 1) }
        }
        rmdir(path)
    }
}
