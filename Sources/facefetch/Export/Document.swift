import ExportFormats
import Glibc

/// A job's document, open for reading, and as long as when it was stored.
final class Document {
    /// The open file.
    let descriptor: Int32
    /// How many bytes there are.
    let length: Int64
    /// When it was last changed, in seconds since 1970.
    let time: Int64

    private init(descriptor: Int32, status: stat) {
        self.descriptor = descriptor
        length = Int64(status.st_size)
        time = Int64(status.st_mtim.tv_sec)
    }

    deinit { close(descriptor) }

    /// Opens the document of a job, or says why it is to be left out.
    static func open(_ job: ExportedJob) -> Result<Document, NoDocument> {
        guard let path = job.path else { return .failure(NoDocument(reason: .noDocument(errno: ENOENT))) }
        // A pipe of that name mustn't hold the export up.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(NoDocument(reason: .noDocument(errno: errno))) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, FilePath.isFile(status.st_mode),
            Int64(status.st_size) == job.bytes
        else {
            close(descriptor)
            return .failure(NoDocument(reason: .changed))
        }
        return .success(Document(descriptor: descriptor, status: status))
    }
}

/// There is no document to be had.
struct NoDocument: Error {
    /// Why.
    var reason: LeftOut.Reason
}
