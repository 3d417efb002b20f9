import ExportFormats
import Glibc

/// XMP sidecars, each beside its picture or all in one folder.
///
/// Each is whole under its name or isn't there. Those of others stay as they are.
final class SidecarWriter: PictureWriter {
    let coordinates = Coordinates.stored
    private let folder: String?

    /// The longest sidecar that is looked at to see whose it is.
    private static let longest = 16 << 20

    /// Sidecars in a folder, which is made if it isn't there; nil for beside the pictures.
    init(folder: String?) throws {
        self.folder = folder
        guard let folder else { return }
        if let mode = FilePath.mode(folder) {
            guard FilePath.isFolder(mode) else {
                throw ClientError.usage(
                    "\(folder.safeForTerminal) is not a folder, and sidecars go into one."
                )
            }
        } else if mkdir(folder, 0o777) != 0 {
            throw ByteFile.failure(folder, errno)
        }
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        guard let text = XMPSidecar.text(picture) else { return nil }
        guard let path = item.job.path else { return .noDocument(errno: ENOENT) }
        let document: Document
        switch Document.open(item.job) {
        case .success(let open): document = open
        case .failure(let none): return none.reason
        }
        let beside = (folder ?? FilePath.folder(path)) + "/"
        let name = FilePath.name(path)
        let target = beside + name + XMPSidecar.suffix
        let other = beside + YOLOFormat.split(name).stem + XMPSidecar.suffix
        if other != target, Self.isForeign(other) { return .foreignSidecar(other) }
        let old = Self.read(target)
        if let old, !XMPSidecar.isOurs(old) { return .foreignSidecar(target) }
        if old == text { return nil }
        if Self.hasRegions(document) { return .hasRegions }
        return try Self.place(text, at: target, isReplacing: old != nil)
    }

    func finish() throws { if let folder { FilePath.sync(folder: folder) } }
    func abandon() {}

    private static func place(
        _ text: [UInt8],
        at target: String,
        isReplacing: Bool
    ) throws -> LeftOut.Reason? {
        let temporary = FilePath.temporary(beside: target)
        let file = try ByteFile(creating: temporary, as: target)
        defer { unlink(temporary) }
        try file.add(text)
        try file.sync()
        if isReplacing {
            guard rename(temporary, target) == 0 else { throw ByteFile.failure(target, errno) }
        } else if link(temporary, target) != 0 {
            // Somebody was faster; unlike a rename, a link never takes another's place.
            if errno == EEXIST { return .foreignSidecar(target) }
            throw ByteFile.failure(target, errno)
        }
        return nil
    }

    /// What is there; nil where nothing is.
    ///
    /// What can't be read is somebody else's, whatever is in it.
    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT ? nil : [] }
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

    private static func isForeign(_ path: String) -> Bool {
        read(path).map { !XMPSidecar.isOurs($0) } ?? false
    }

    private static func hasRegions(_ document: Document) -> Bool {
        var search = RegionSearch()
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(document.descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            if search.finds(piece[..<count]) { return true }
        }
    }
}
