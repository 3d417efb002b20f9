import CLinux
import Glibc
import SmallFiles

/// The folder that a sidecar is in, which is open while that is looked at and written: what takes its place meanwhile
/// leads nowhere else.
struct SidecarFolder: ~Copyable {
    /// The folder's path, with a slash at its end.
    let path: String
    private let descriptor: Int32

    /// The longest sidecar that is read to see who wrote it.
    private static let longest = 16 << 20

    /// Opens the folder of a document.
    ///
    /// - Throws: ``SidecarFailure`` with the folder's path
    init(of document: InnerPath) throws(SidecarFailure) {
        path = document.folder == "/" ? "/" : document.folder + "/"
        do throws(FileFailure) { descriptor = try document.openFolder() } catch {
            throw SidecarFailure(path: path, number: error.number)
        }
    }

    deinit { close(descriptor) }

    /// Returns the bytes of a file; nil if there is none.
    ///
    /// A file that can't be read is somebody else's, whatever is in it.
    func read(_ name: String) throws(SidecarFailure) -> [UInt8]? {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if file < 0 {
            let failure = failure(name)
            if failure.mayPass { throw failure }
            return failure.number == ENOENT ? nil : []
        }
        defer { close(file) }
        var (bytes, pieces) = ([UInt8](), Pieces(file))
        while bytes.count < Self.longest, let piece = try? pieces.next() { bytes += piece }
        return bytes
    }

    /// Removes a file, if it is there.
    func remove(_ name: String) throws(SidecarFailure) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw failure(name) }
    }

    /// Returns whether it is certain that there is nothing of this name.
    func lacks(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
    }

    /// Writes a sidecar; returns false if somebody else wrote one meanwhile.
    ///
    /// - Parameters:
    ///   - text: The sidecar.
    ///   - name: Its name.
    ///   - temporary: The name that it has until it is whole.
    ///   - mode: Its permissions.
    ///   - old: What is there, to be replaced; nil for nothing.
    func place(
        _ text: [UInt8],
        as name: String,
        by temporary: String,
        mode: mode_t,
        replacing old: [UInt8]?
    ) throws(SidecarFailure) -> Bool {
        unlinkat(descriptor, temporary, 0)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(name) }
        // Says that it is being written, to whoever removes what others have left.
        flock(file, LOCK_EX | LOCK_NB)
        defer {
            close(file)
            unlinkat(descriptor, temporary, 0)
        }
        do throws(FileFailure) { try WholeFile.write(text, to: file) } catch {
            throw SidecarFailure(path: path + name, number: error.number)
        }
        guard fsync(file) == 0 else { throw failure(name) }
        if let old {
            guard try read(name) == old else { return false }
            guard renameat(descriptor, temporary, descriptor, name) == 0 else { throw failure(name) }
            return true
        }
        if CLinux_rename_noreplace(descriptor, temporary, descriptor, name) == 0 { return true }
        // A file system that can't do this, such as NFS, may have links, which replace nothing either.
        if errno == EINVAL, linkat(descriptor, temporary, descriptor, name, 0) == 0 { return true }
        guard errno == EEXIST else { throw failure(name) }
        return false
    }

    private func failure(_ name: String) -> SidecarFailure {
        SidecarFailure(path: path + name, number: errno)
    }
}
