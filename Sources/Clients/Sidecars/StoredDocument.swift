import ExportFormats
import Glibc
import SmallFiles

/// A job's document, opened for reading, with the length that it had when it was stored.
///
/// No link is followed in its place, nor in that of a folder that it is in: somebody else may have put it there.
public final class StoredDocument {
    /// The reason why a document can't be used.
    public enum Unusable: Error, Hashable, Sendable {
        /// It isn't there, or can't be opened.
        case missing(errno: Int32)
        /// The file isn't what was stored.
        case changed
    }

    /// The open file.
    public let descriptor: Int32
    /// The length in bytes.
    public let length: Int64
    /// The time when the file was last changed, in seconds since 1970.
    public let time: Int64
    /// The permissions of the file.
    let mode: mode_t

    deinit { close(descriptor) }

    /// Opens the document of a job.
    public init(_ job: ExportedJob) throws(Unusable) {
        guard let path = job.path else { throw .missing(errno: ENOENT) }
        let status: stat
        do throws(FileFailure) {
            (descriptor, status) = try InnerPath(path, folder: job.folder).openFile()
        } catch {
            switch error {
            case .system(let number): throw .missing(errno: number)
            case .notRegular, .tooLong: throw .changed
            }
        }
        length = Int64(status.st_size)
        time = Int64(status.st_mtim.tv_sec)
        mode = status.st_mode & 0o777
        // From here on, the descriptor is closed with the object.
        guard length == job.bytes else { throw .changed }
    }

    /// Returns whether somebody has put regions into the picture; the file is read from its beginning.
    func hasRegions() -> Bool {
        var (search, pieces) = (RegionSearch(), Pieces(descriptor, ofAtMost: 1 << 20))
        while let piece = try? pieces.next() { if search.finds(piece) { return true } }
        return false
    }
}
