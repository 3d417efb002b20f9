import CLinux
import ExportFormats
import Glibc
import Sidecars
import Vocabulary

/// The pictures of an export that lie in a folder of it: links to the documents, or copies.
///
/// A copy is the document as it is where readers see that upright, and made of its pixels where they may not.
final class PlacedPictures {
    /// What became of a picture.
    enum Outcome {
        /// It lies in the folder under this name.
        case placed(String)
        /// There is none, and why.
        case leftOut(LeftOut.Reason)
        /// A signal came before it was there.
        case interrupted
    }

    private let folder: NewFolder
    private let place: String
    private let isCopying: Bool
    private let copies: UprightCopies

    /// Pictures in a folder of an export.
    ///
    /// - Parameters:
    ///   - folder: The export.
    ///   - place: The folder in it, which has to be there.
    ///   - isCopying: Whether they are copied.
    ///   - signals: A descriptor that can be read once a signal has come.
    init(in folder: NewFolder, _ place: String, isCopying: Bool, signals: Int32) {
        (self.folder, self.place, self.isCopying) = (folder, place, isCopying)
        copies = UprightCopies(in: folder.path + "/.upright", signals: signals)
    }

    /// Puts a picture there.
    ///
    /// - Parameters:
    ///   - job: The picture's job.
    ///   - picture: The picture.
    ///   - document: Its document.
    ///   - stem: Its name there, without an extension.
    ///   - suffix: The extension with its dot, for the document as it is.
    ///   - isRemade: Whether it is made anew of its pixels, whatever else is said.
    /// - Throws: ``ClientError``
    func put(
        _ job: ExportedJob,
        _ picture: ExportedPicture,
        _ document: StoredDocument,
        as stem: String,
        suffix: String,
        isRemade: Bool
    ) throws -> Outcome {
        if isRemade { return try remake(job, picture, as: stem) }
        let name = stem + suffix
        let path = folder.path + "/" + place + "/" + name
        if isCopying {
            let copy = try ByteFile(creating: path, as: job.name)
            guard try copy.add(document, of: job) != nil else {
                unlink(path)
                return .leftOut(.sidecar(.document(.changed)))
            }
        } else if let target = job.path {
            guard symlink(target, path) == 0 else { throw ByteFile.failure(job.name, errno) }
        }
        return .placed(name)
    }

    /// The formats that most readers can't decode.
    private static let rare: Set<String> = ["raw", "heif", "jxl"]

    /// Returns whether a copy of a picture is made of its pixels, since its file is turned, or of a format that
    /// most readers can't decode.
    static func needsPixels(_ job: ExportedJob, _ picture: ExportedPicture) -> Bool {
        picture.coordinates == .upright
            && (picture.orientation != 1 || rare.contains(job.detection?.format ?? ""))
    }

    /// Lets helpers end.
    ///
    /// - Throws: ``ClientError`` if copies may not be on the disk.
    func finish() throws { try copies.finish() }

    /// Ends helpers at once.
    func abandon() { copies.abandon() }

    private func remake(_ job: ExportedJob, _ picture: ExportedPicture, as stem: String) throws -> Outcome {
        let (made, reason) = try copies.make(job, picture)
        if let reason { return .leftOut(reason) }
        guard let made else { return .interrupted }
        let name = stem + YOLOFormat.split(FilePath.name(made)).suffix
        let path = folder.path + "/" + place + "/" + name
        // Nobody else writes there, and a name that is there already is an error, not replaced.
        var isPlaced = CLinux_rename_noreplace(AT_FDCWD, made, AT_FDCWD, path) == 0
        // A file system that can't do this, such as NFS, may have links, which replace nothing either.
        if !isPlaced, errno == EINVAL { isPlaced = link(made, path) == 0 && unlink(made) == 0 }
        guard isPlaced else { throw ByteFile.failure(job.name, errno) }
        return .placed(name)
    }
}
