import Glibc

/// A file's path in two parts: a directory, to which links may lead, and the way on from there, on which none is
/// followed.
///
/// Whoever may write to a folder can put a link in the place of anything in it. So each part is opened by itself,
/// relative to the one before.
public struct InnerPath: Hashable, Sendable {
    /// The directory.
    public let directory: String
    /// The folders from there, and the file's name last.
    private let parts: [String]

    /// O_PATH of open(2), which Swift's Glibc lacks: it takes no more than the right to search the directory.
    private static let searchOnly: Int32 = 0o10_000_000

    /// Creates the path of a file in a folder of a directory, which is what the folder's path leaves of this one; nil
    /// for none but the directory itself.
    public init(_ path: String, folder: String? = nil) {
        let outer = KeptFile.folder(of: path).utf8
        let inner = "/" + (folder ?? "")
        // By bytes: in names, a slash and what follows it can be one character.
        guard folder?.isEmpty == false, outer.suffix(inner.utf8.count).elementsEqual(inner.utf8)
        else {
            (directory, parts) = (KeptFile.folder(of: path), [Self.name(path)])
            return
        }
        let top = String(Substring(outer.dropLast(inner.utf8.count)))
        directory = top.isEmpty ? "/" : top
        parts = Self.split(inner.utf8.dropFirst()) + [Self.name(path)]
    }

    /// Creates the path of a file that is in a directory or in folders of it; nil for one that isn't.
    public init?(_ path: String, in directory: String) {
        let top = directory.utf8.last == UInt8(ascii: "/") ? directory : directory + "/"
        guard path.utf8.count > top.utf8.count, path.utf8.starts(with: top.utf8) else { return nil }
        self.directory = directory
        parts = Self.split(path.utf8.dropFirst(top.utf8.count))
    }

    /// The file's name.
    public var name: String { parts.last ?? "" }
    /// The path of the folder that the file is in.
    public var folder: String {
        let top =
            directory.utf8.last == UInt8(ascii: "/") ? String(directory.utf8.dropLast()) ?? "" : directory
        let path = ([top] + parts.dropLast()).joined(separator: "/")
        return path.isEmpty ? "/" : path
    }

    /// Opens the folder that the file is in, to find names in it; the caller must close it.
    ///
    /// - Throws: ``FileFailure``: ENOTDIR for a link.
    public func openFolder() throws(FileFailure) -> Int32 {
        let flags = Self.searchOnly | O_DIRECTORY | O_CLOEXEC
        var folder = open(directory, flags)
        guard folder >= 0 else { throw .system(errno) }
        for part in parts.dropLast() {
            let outer = folder
            // What leads up leads out.
            folder = part == ".." ? -1 : openat(outer, part, flags | O_NOFOLLOW)
            let number = part == ".." ? ENOTDIR : errno
            close(outer)
            guard folder >= 0 else { throw .system(number) }
        }
        return folder
    }

    /// Opens the file for reading, if it is a regular one; the caller must close it.
    ///
    /// - Throws: ``FileFailure``: ELOOP for a link, ENOTDIR for one in a folder's place.
    public func openFile() throws(FileFailure) -> (descriptor: Int32, status: stat) {
        let folder = try openFolder()
        defer { close(folder) }
        // O_NONBLOCK: opening a FIFO must not wait for its writer.
        let descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notRegular
        }
        return (descriptor, status)
    }

    /// Returns what there is under the path, as lstat(2) does; nil for nothing that can be found.
    public func status() -> stat? {
        let folder: Int32
        do throws(FileFailure) { folder = try openFolder() } catch { return nil }
        defer { close(folder) }
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// True if it is certain that there is nothing under the path: not where somebody forbids to look.
    public var isCertainlyGone: Bool {
        let folder: Int32
        do throws(FileFailure) { folder = try openFolder() } catch { return error == .system(ENOENT) }
        defer { close(folder) }
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
    }

    private static func name(_ path: String) -> String { split(path.utf8[...]).last ?? "" }

    private static func split(_ path: Substring.UTF8View) -> [String] {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }
}
