import ControlAPI
import Glibc
import JobModel
import NIOCore
import NIOPosix
import Vocabulary

/// A document that is open to be read, piece by piece, on threads that may wait for a disk.
struct DocumentFile: ~Copyable, Sendable {
    /// Bytes, as of when it was opened.
    let length: Int
    private let descriptor: CInt

    /// The document is shorter than it was when it was opened.
    struct Shortened: Error {}

    /// Bytes of a piece.
    private static let pieceSize = 128 << 10

    /// Opens a job's document, and nothing that only stands in its place: not a link or a device.
    ///
    /// - Parameter obstacle: Returns why no document can be found now; nil if there is no such reason.
    /// - Throws: ``ProblemJSON``
    init(of job: Job, unless obstacle: () -> String?) async throws {
        guard let path = job.path else {
            if job.isEvicted { throw ProblemJSON.evicted(job.id) }
            throw ProblemJSON(
                .notStored,
                "job \(job.id.rawValue) has no document yet; GET /v1/jobs/\(job.id.rawValue) says where it stands"
            )
        }
        let (descriptor, length) = try await NIOThreadPool.singleton.runIfActive {
            // O_NONBLOCK: opening a FIFO must not wait for its writer.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else {
                return (CInt(-1), errno == ENOENT || errno == ELOOP ? 0 : Int(errno))
            }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                return (CInt(-1), 0)
            }
            return (descriptor, Int(status.st_size))
        }
        guard descriptor >= 0 else {
            guard length == 0 else {
                throw ProblemJSON(
                    .internalError,
                    "the document can't be opened: \(String(cString: strerror(CInt(length)))); check the disk"
                )
            }
            // Then nobody has removed this one.
            if let obstacle = obstacle() { throw ProblemJSON(.busy, obstacle) }
            throw ProblemJSON(.documentGone, "the document of job \(job.id.rawValue) is not there any more")
        }
        self.descriptor = descriptor
        self.length = length
    }

    deinit { close(descriptor) }

    /// Gives the document to `take`, piece by piece, each read at its user's turn.
    ///
    /// - Throws: ``Shortened``, an `IOError`, and what `take` throws.
    func forEachPiece(_ reads: ConnectionReads, _ take: (ByteBuffer) async throws -> Void) async throws {
        var offset = 0
        while offset < length {
            let (descriptor, start, size) = (descriptor, offset, min(Self.pieceSize, length - offset))
            let piece = try await reads.pass(.usual) {
                try await Self.piece(of: descriptor, at: start, size)
            }
            offset += piece.readableBytes
            try await take(piece)
        }
    }

    private static func piece(of descriptor: CInt, at start: Int, _ size: Int) async throws -> ByteBuffer {
        try await NIOThreadPool.singleton.runIfActive {
            var piece = ByteBufferAllocator().buffer(capacity: size)
            let count = piece.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
                max(0, pread(descriptor, bytes.baseAddress, size, off_t(start)))
            }
            guard count > 0 else { throw Shortened() }
            return piece
        }
    }
}

extension ProblemJSON {
    /// The answer where a document was removed, to make room or because somebody asked for it.
    static func evicted(_ job: JobID) -> ProblemJSON {
        ProblemJSON(
            .documentGone,
            "the document of job \(job.rawValue) was removed; retry fetches it again"
        )
    }
}
