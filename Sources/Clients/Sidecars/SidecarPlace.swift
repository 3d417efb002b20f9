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
        let name = Self.split(path).name
        let sidecar = name + XMPSidecar.suffix
        guard sidecar.utf8.count <= Int(NAME_MAX) else { return .leftAlone(.nameTooLong) }
        let text = XMPSidecar.text(picture)
        let beside: SidecarFolder
        do throws(SidecarFailure) {
            beside = try open(InnerPath(path, folder: job.folder))
        } catch {
            if error.mayPass { throw error }
            guard text != nil else { return .nothing }
            guard folder == nil else {
                throw SidecarFailure(path: error.path + sidecar, number: error.number)
            }
            return .leftAlone(.document(.missing(errno: error.number)))
        }
        let target = beside.path + sidecar
        let old = try beside.read(sidecar)
        guard let text else {
            guard let old, XMPSidecar.isOurs(old), try !isDocument(target) else { return .nothing }
            try beside.remove(sidecar)
            return .removed
        }
        let document: StoredDocument
        do throws(StoredDocument.Unusable) { document = try StoredDocument(job) } catch {
            return .leftAlone(.document(error))
        }
        if let old, !XMPSidecar.isOurs(old) { return .leftAlone(.foreign(path: target)) }
        // Some programs write a sidecar that is named without the picture's extension.
        let other = YOLOFormat.split(name).stem + XMPSidecar.suffix
        if other != sidecar, let bytes = try beside.read(other), !XMPSidecar.isOurs(bytes) {
            return .leftAlone(.foreign(path: beside.path + other))
        }
        if old == text { return .unchanged }
        if old != nil, try isDocument(target) { return .leftAlone(.isDocument(path: target)) }
        if document.hasRegions() { return .leftAlone(.hasRegions) }
        let mode = document.mode & 0o666
        let isPlaced = try beside.place(text, as: sidecar, by: temporaryName, mode: mode, replacing: old)
        guard isPlaced else { return .leftAlone(.foreign(path: target)) }
        // Whoever has removed the document meanwhile may have looked for its sidecar before this one was there.
        let isGone = folder == nil ? beside.lacks(name) : InnerPath(path, folder: job.folder).isCertainlyGone
        if isGone, try beside.read(sidecar) == text {
            try beside.remove(sidecar)
            return .leftAlone(.document(.missing(errno: ENOENT)))
        }
        return .written
    }

    /// Opens the folder of a document's sidecar.
    private func open(_ document: InnerPath) throws(SidecarFailure) -> SidecarFolder {
        try SidecarFolder(of: folder.map { InnerPath("\($0)/\(document.name)") } ?? document)
    }

    /// Removes the sidecar of a document that was removed, if it is one of ours; returns whether it did.
    ///
    /// - Parameter isDocument: Returns whether a file is the document of some job.
    /// - Throws: ``SidecarFailure``, and whatever `isDocument` throws.
    public func remove(
        of document: InnerPath,
        unless isDocument: (_ path: String) throws -> Bool
    ) throws -> Bool {
        let sidecar = document.name + XMPSidecar.suffix
        let beside = try open(document)
        guard let old = try beside.read(sidecar), XMPSidecar.isOurs(old),
            try !isDocument(beside.path + sidecar)
        else { return false }
        try beside.remove(sidecar)
        return true
    }

    /// Removes what a kill has left of a sidecar in a folder.
    public func clean(folder: String) { unlink(folder + "/" + temporaryName) }

    /// Syncs a folder, so that the names in it survive a power cut.
    public static func sync(folder: String) throws(SidecarFailure) {
        do throws(FileFailure) {
            try KeptFile.sync(folder: folder)
        } catch .system(ENOENT) {
            // A folder that is gone has no names to lose.
        } catch {
            throw SidecarFailure(path: folder, number: error.number)
        }
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
}
