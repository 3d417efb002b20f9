import ExportFormats
import Glibc
import Sidecars

/// Writes XMP sidecars, each beside its picture or all into one folder.
final class SidecarWriter: PictureWriter {
    let coordinates = Coordinates.stored
    private let place: SidecarPlace
    private let namesakes: SidecarNamesakes
    /// Folders with new names in them.
    private var folders: Set<String> = []
    /// Folders without anything that an export has left in them that was killed.
    private var cleanFolders: Set<String> = []

    /// The beginning of a sidecar's name while it is written; the number of the process follows.
    private static let temporaryPrefix = ".facefetch-sidecar-"

    /// Begins to write sidecars into a folder, which is made if it isn't there; nil for beside the pictures.
    init(folder: String?, client: ControlClient) throws {
        namesakes = SidecarNamesakes(client: client)
        place = SidecarPlace(folder: folder, temporaryName: Self.temporaryPrefix + "\(getpid())")
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
        if let path = item.job.path {
            let folder = place.folder(ofDocument: path)
            if cleanFolders.insert(folder).inserted {
                Leftovers.remove(from: folder, prefix: Self.temporaryPrefix)
            }
        }
        do {
            switch try place.put(item.job, unless: namesakes.contains) {
            case .leftAlone(let reason): return .sidecar(reason)
            case .written, .removed:
                if let path = item.job.path { folders.insert(place.folder(ofDocument: path)) }
            case .unchanged, .nothing: break
            }
            return nil
        } catch let error as SidecarFailure {
            throw ByteFile.failure(error.path, error.number)
        }
    }

    func finish() throws { for folder in folders { FilePath.sync(folder: folder) } }
    func abandon() {}
}
