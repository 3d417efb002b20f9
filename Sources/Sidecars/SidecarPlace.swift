import CLinux
import ExportFormats
import Glibc
import SmallFiles

/// The place for sidecars: each beside its picture, or all in one folder.
///
/// A sidecar is whole under its name or isn't there, even after a power cut. Those of other programs
/// stay as they are, and so do pictures.
public struct SidecarPlace: Sendable {
    private let folder: String?
    private let temporaryName: String

    /// The longest sidecar that is read to see who wrote it.
    private static let longest = 16 << 20

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - folder: The folder for all sidecars; nil for beside the pictures.
    ///   - temporaryName: The name of a sidecar while it is written, which nobody else may use at the
    ///     same time. A file that a kill has left under it is replaced.
    public init(folder: String? = nil, temporaryName: String) {
        self.folder = folder
        self.temporaryName = temporaryName
    }

    /// Returns the folder of a document's sidecar.
    public func folder(ofDocument path: String) -> String { folder ?? Self.split(path).folder }

    /// Writes the sidecar of a picture, if it has faces.
    ///
    /// - Parameters:
    ///   - job: The picture's job.
    ///   - isDocument: Returns whether a file is the document of some job. A mirror of a folder that
    ///     facefetch has filled elsewhere has sidecars of ours among its documents.
    /// - Throws: ``SidecarFailure``, and whatever `isDocument` throws.
    public func put(
        _ job: ExportedJob,
        unless isDocument: (_ path: String) throws -> Bool
    ) throws -> SidecarOutcome {
        guard let picture = job.picture(in: .stored) else { return .leftAlone(.noSize) }
        guard let path = job.path else { return .leftAlone(.document(.missing(errno: ENOENT))) }
        let (beside, name) = (folder(ofDocument: path) + "/", Self.split(path).name)
        let target = beside + name + XMPSidecar.suffix
        guard name.utf8.count + XMPSidecar.suffix.utf8.count <= Int(NAME_MAX) else {
            return .leftAlone(.nameTooLong)
        }
        let old = try Self.read(target)
        guard let text = XMPSidecar.text(picture) else {
            guard let old, XMPSidecar.isOurs(old), try !isDocument(target) else { return .nothing }
            guard unlink(target) == 0 || errno == ENOENT else { throw Self.failure(target) }
            return .removed
        }
        let document: StoredDocument
        do throws(StoredDocument.Unusable) { document = try StoredDocument(job) } catch {
            return .leftAlone(.document(error))
        }
        if let old, !XMPSidecar.isOurs(old) { return .leftAlone(.foreign(path: target)) }
        // Some programs write a sidecar that is named without the picture's extension.
        let other = beside + YOLOFormat.split(name).stem + XMPSidecar.suffix
        if other != target, let bytes = try Self.read(other), !XMPSidecar.isOurs(bytes) {
            return .leftAlone(.foreign(path: other))
        }
        if old == text { return .unchanged }
        if old != nil, try isDocument(target) { return .leftAlone(.isDocument(path: target)) }
        if document.hasRegions() { return .leftAlone(.hasRegions) }
        let isPlaced = try place(text, at: target, in: beside, mode: document.mode & 0o666, replacing: old)
        guard isPlaced else { return .leftAlone(.foreign(path: target)) }
        // Whoever has removed the document meanwhile may have looked for its sidecar before this one was there.
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT, try Self.read(target) == text {
            guard unlink(target) == 0 || errno == ENOENT else { throw Self.failure(target) }
            return .leftAlone(.document(.missing(errno: ENOENT)))
        }
        return .written
    }

    /// Removes the sidecar of a document that was removed, if it is one of ours; returns whether it did.
    ///
    /// - Parameter isDocument: Returns whether a file is the document of some job.
    /// - Throws: ``SidecarFailure``, and whatever `isDocument` throws.
    public func remove(
        ofDocument path: String,
        unless isDocument: (_ path: String) throws -> Bool
    ) throws -> Bool {
        let target = folder(ofDocument: path) + "/" + Self.split(path).name + XMPSidecar.suffix
        guard let old = try Self.read(target), XMPSidecar.isOurs(old), try !isDocument(target) else {
            return false
        }
        guard unlink(target) == 0 || errno == ENOENT else { throw Self.failure(target) }
        return true
    }

    /// Removes what a kill has left of a sidecar in a folder.
    public func clean(folder: String) { unlink(folder + "/" + temporaryName) }

    /// Syncs a folder, so that the names in it survive a power cut.
    ///
    /// - Throws: ``SidecarFailure``
    public static func sync(folder: String) throws(SidecarFailure) {
        do throws(FileFailure) {
            try KeptFile.sync(folder: folder)
        } catch .system(ENOENT) {
            // A folder that is gone has no names to lose.
        } catch {
            throw SidecarFailure(path: folder, number: error.number)
        }
    }

    /// Writes a sidecar; returns false if somebody else wrote one meanwhile.
    private func place(
        _ text: [UInt8],
        at target: String,
        in folder: String,
        mode: mode_t,
        replacing old: [UInt8]?
    ) throws(SidecarFailure) -> Bool {
        let temporary = folder + temporaryName
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw Self.failure(target) }
        // Says that it is being written, to whoever removes what others have left.
        flock(file, LOCK_EX | LOCK_NB)
        defer {
            close(file)
            unlink(temporary)
        }
        do throws(FileFailure) { try KeptFile.append(text, to: file) } catch {
            throw SidecarFailure(path: target, number: error.number)
        }
        guard fsync(file) == 0 else { throw Self.failure(target) }
        if let old {
            guard try Self.read(target) == old else { return false }
            guard rename(temporary, target) == 0 else { throw Self.failure(target) }
            return true
        }
        if CLinux_rename_noreplace(AT_FDCWD, temporary, AT_FDCWD, target) == 0 { return true }
        // A file system that can't do this, such as NFS, may have links, which replace nothing either.
        if errno == EINVAL, link(temporary, target) == 0 { return true }
        guard errno == EEXIST else { throw Self.failure(target) }
        return false
    }

    /// Returns the bytes of a file; nil if there is none.
    ///
    /// A file that can't be read is somebody else's, whatever is in it.
    private static func read(_ path: String) throws(SidecarFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if descriptor < 0 {
            let failure = failure(path)
            if failure.mayPass { throw failure }
            return failure.number == ENOENT ? nil : []
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < longest {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Returns whether two paths lead to one file.
    public static func isSameFile(_ path: String, _ other: String) -> Bool {
        if path == other { return true }
        var (first, second) = (stat(), stat())
        guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_ino == second.st_ino && first.st_dev == second.st_dev
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    private static func failure(_ path: String) -> SidecarFailure {
        SidecarFailure(path: path, number: errno)
    }
}
