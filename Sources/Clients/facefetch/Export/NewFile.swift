import Glibc

/// A file that takes its name, and the place of an old one, when it is whole.
///
/// What is no plain file, such as a pipe, is written as it is.
final class NewFile {
    /// The file to write to.
    let bytes: ByteFile
    private let path: String
    /// The folder that it is written in; nil for what is written as it is.
    private let work: WorkFolder?
    private var isOver = false

    /// Begins a file; `-` is standard output.
    ///
    /// - Throws: ``ClientError`` when there can be none.
    init(_ path: String) throws(ClientError) {
        if path == "-" {
            bytes = ByteFile("Standard output", descriptor: STDOUT_FILENO)
            (self.path, work) = (path, nil)
            return
        }
        let mode = FilePath.mode(path)
        if let mode, FilePath.isFolder(mode) {
            throw .usage("\(path.safeForTerminal) is a folder: name the file that is to be written.")
        }
        if Self.isWrittenInPlace(path) {
            bytes = ByteFile(path, descriptor: try Self.openInPlace(path))
            (self.path, work) = (path, nil)
            return
        }
        // A link stays one, and what it leads to is replaced.
        let path = FilePath.resolved(path)
        let work = try WorkFolder(beside: path)
        do throws(ClientError) {
            bytes = try ByteFile(creating: Self.unfinished(in: work), as: path)
        } catch {
            NewFolder.remove(work.path)
            throw error
        }
        if let mode { fchmod(bytes.descriptor, mode & 0o777) }
        (self.path, self.work) = (path, work)
    }

    deinit { abandon() }

    /// Opens what is no plain file; a pipe as soon as somebody reads from it.
    private static func openInPlace(_ path: String) throws(ClientError) -> Int32 {
        var descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, 0)
            return descriptor
        }
        // ENXIO of fifo(7): there is no reader.
        if errno == ENXIO {
            Output.note("\(path.safeForTerminal) is a pipe that nobody reads yet: waiting for a reader…")
            repeat { descriptor = open(path, O_WRONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        }
        guard descriptor >= 0 else { throw ByteFile.failure(path, errno) }
        return descriptor
    }

    /// Returns whether a path leads to something that isn't replaced but written to as it is, such as a pipe.
    static func isWrittenInPlace(_ path: String) -> Bool {
        guard path != "-" else { return true }
        return FilePath.mode(path).map { !FilePath.isFile($0) && !FilePath.isFolder($0) } ?? false
    }

    /// Gives the file its name, once it is on the disk.
    ///
    /// - Throws: ``ClientError`` when it can't be.
    func finish() throws(ClientError) {
        guard let work else { return try bytes.flush() }
        try bytes.sync()
        guard rename(Self.unfinished(in: work), path) == 0 else { throw ByteFile.failure(path, errno) }
        isOver = true
        NewFolder.remove(work.path)
        FilePath.sync(folder: FilePath.folder(path))
    }

    /// Another file on the same disk, which has no name and goes with its descriptor.
    ///
    /// - Throws: ``ClientError`` when there can be none.
    func scratch() throws(ClientError) -> ByteFile {
        let name = work.map { $0.path + "/scratch" } ?? FilePath.temporary(beside: path)
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ByteFile.failure(path, errno) }
        unlink(name)
        return ByteFile(path, descriptor: descriptor)
    }

    /// Removes the file.
    func abandon() {
        guard !isOver, let work else { return }
        isOver = true
        NewFolder.remove(work.path)
    }

    private static func unfinished(in work: WorkFolder) -> String { work.path + "/unfinished" }
}
