import ExportFormats
import Glibc
import Sidecars
import SmallFiles
import Vocabulary

/// Writes XMP sidecars, each beside its picture or all into one folder, where they lie as the documents do.
final class SidecarWriter: PictureWriter {
    let coordinates = Coordinates.stored
    /// The folder for all sidecars; nil for beside the pictures.
    private let folder: String?
    private let namesakes: SidecarNamesakes
    /// Folders with new names in them.
    private var folders: Set<String> = []
    /// Folders without anything that an export has left in them that was killed.
    private var cleanFolders: Set<String> = []
    /// The first jobs whose sidecars have more faces than some programs read, and the number of all.
    private var (crowds, crowdCount): ([ExportedJob], Int) = ([], 0)

    /// The beginning of a sidecar's name while it is written; the number of the process follows.
    private static let temporaryPrefix = ".facefetch-sidecar-"
    /// The number of faces that exiftool reads of a list.
    private static let mostRead = 1000

    /// Begins to write sidecars into a folder, which is made if it isn't there; nil for beside the pictures.
    ///
    /// - Parameter client: The daemon that has the documents; nil for none, so that only seals tell whose a sidecar is.
    init(folder: String?, client: ControlClient?) throws {
        namesakes = SidecarNamesakes(client: client)
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
        let place = try place(for: item.job, makes: !picture.faces.isEmpty)
        if let path = item.job.path {
            let folder = place.folder(ofDocument: path)
            if cleanFolders.insert(folder).inserted {
                let document =
                    self.folder == nil ? InnerPath(path, folder: item.job.folder) : InnerPath(folder + "/x")
                Leftovers.removeSidecars(beside: document, prefix: Self.temporaryPrefix)
            }
        }
        do {
            switch try place.put(item.job, unless: namesakes.contains) {
            case .leftAlone(let reason): return .sidecar(reason)
            case .written, .removed:
                if let path = item.job.path { folders.insert(place.folder(ofDocument: path)) }
            case .unchanged, .nothing: break
            }
            if picture.faces.count > Self.mostRead {
                crowdCount += 1
                if crowds.count < LeftOut.named { crowds.append(item.job) }
            }
            return nil
        } catch let error as SidecarFailure {
            throw ByteFile.failure(error.path, error.number)
        }
    }

    /// Returns the place for a job's sidecar: names are unique only within the folders that documents are in, so in
    /// another folder there are the same ones.
    ///
    /// - Parameter makes: Whether folders are made that are missing.
    private func place(for job: ExportedJob, makes: Bool) throws -> SidecarPlace {
        var path = folder
        if let folder, let inner = job.folder {
            var made = folder
            for part in inner.utf8.split(separator: UInt8(ascii: "/")) {
                let name = String(Substring(part))
                guard name != ".." else { throw ByteFile.failure(folder + "/" + inner, EINVAL) }
                let outer = made
                made += "/" + name
                guard makes else { continue }
                if mkdir(made, 0o777) == 0 {
                    folders.insert(outer)
                } else if errno != EEXIST {
                    throw ByteFile.failure(made, errno)
                }
            }
            path = made
        }
        return SidecarPlace(folder: path, temporaryName: Self.temporaryPrefix + "\(getpid())")
    }

    func finish() throws {
        for folder in folders { FilePath.sync(folder: folder) }
        for job in crowds {
            Output.note(
                "The sidecar of \(JobID(job.id)), \"\(job.name.safeForTerminal)\", has "
                    + "\(Quantities.grouped(job.detection?.faces.count ?? 0)) faces: exiftool and programs "
                    + "that use it read the first \(Quantities.grouped(Self.mostRead))."
            )
        }
        if crowdCount > crowds.count {
            let more = Quantities.grouped(crowdCount - crowds.count)
            Output.note("\(more) more sidecars have that many faces.")
        }
    }

    func abandon() {}
}
