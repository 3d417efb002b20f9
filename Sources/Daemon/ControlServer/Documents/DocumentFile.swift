import ControlAPI
import Digests
import Glibc
import JobModel
import NIOCore
import NIOPosix
import SmallFiles
import Synchronization
import Vocabulary

/// A document that is open to be read, piece by piece, on threads that may wait for a disk.
struct DocumentFile: ~Copyable, Sendable {
    /// Bytes, as of when it was opened.
    let length: Int
    private let descriptor: CInt
    /// The mark of the open file.
    private let mark: FileMark

    /// The document is shorter than it was when it was opened.
    struct Shortened: Error {}

    /// Bytes of a piece.
    private static let pieceSize = 128 << 10

    /// Opens a job's document, and nothing that only stands in its place: not a link, in the place of one of its
    /// folders either, nor a device or another file.
    ///
    /// - Parameters:
    ///   - known: The documents that are known to be what was stored, although somebody has touched them.
    ///   - obstacle: Returns why no document can be found now; nil if there is no such reason.
    /// - Throws: ``ProblemJSON``
    static func open(
        of job: Job,
        known: ProvenDocuments,
        unless obstacle: () -> String?
    ) async throws -> DocumentFile {
        let file = try await DocumentFile(at: job, unless: obstacle)
        guard try await file.isWhatWasStored(job, known) else {
            throw ProblemJSON(
                .documentGone,
                "the document of job \(job.id.rawValue) was changed since it was stored"
            )
        }
        return file
    }

    private init(at job: Job, unless obstacle: () -> String?) async throws {
        guard let path = job.path else {
            if job.isEvicted { throw ProblemJSON.evicted(job.id) }
            throw ProblemJSON(
                .notStored,
                "job \(job.id.rawValue) has no document yet; GET /v1/jobs/\(job.id.rawValue) says where it stands"
            )
        }
        let place = InnerPath(path, folder: job.publishedFolder.path)
        let opened = try await NIOThreadPool.singleton.runIfActive {
            () -> Result<(CInt, stat), FileFailure> in
            do throws(FileFailure) { return .success(try place.openFile()) } catch { return .failure(error) }
        }
        switch opened {
        case .success(let (descriptor, status)):
            self.descriptor = descriptor
            length = Int(status.st_size)
            mark = FileMark(status)
        case .failure(.system(ENOENT)), .failure(.system(ELOOP)), .failure(.system(ENOTDIR)),
            .failure(.notRegular):
            // Then nobody has removed this one.
            if let obstacle = obstacle() { throw ProblemJSON(.busy, obstacle) }
            throw ProblemJSON(.documentGone, "the document of job \(job.id.rawValue) is not there any more")
        case .failure(let failure):
            throw ProblemJSON(.internalError, "the document can't be opened: \(failure); check the disk")
        }
    }

    deinit { close(descriptor) }

    /// Returns whether the open file is what was stored: nobody has touched it, or it has the same content.
    private func isWhatWasStored(_ job: Job, _ known: ProvenDocuments) async throws -> Bool {
        if mark == job.documentMark || known.have(job.id, mark) { return true }
        // Nothing tells what was stored of a document without both.
        guard let sha256 = job.sha256 else { return job.documentMark == nil }
        guard Int64(length) == job.bytes else { return false }
        var hash = SHA256()
        do {
            try await forEachPiece { piece in
                piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            }
        } catch is Shortened {
            return false
        }
        guard hash.finalize().hexText == sha256 else { return false }
        known.add(job.id, mark)
        return true
    }

    /// Gives the document to `take`, piece by piece, each read at its user's turn where `reads` says whose it is.
    ///
    /// - Throws: ``Shortened``, an `IOError`, and what `take` throws.
    func forEachPiece(_ reads: ConnectionReads? = nil, _ take: (ByteBuffer) async throws -> Void) async throws
    {
        var offset = 0
        while offset < length {
            let (descriptor, start, size) = (descriptor, offset, min(Self.pieceSize, length - offset))
            let read: @Sendable () async throws -> ByteBuffer = {
                try await Self.piece(of: descriptor, at: start, size)
            }
            let piece = if let reads { try await reads.pass(.usual, read) } else { try await read() }
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

/// The documents that have the content that was stored, although somebody has touched them, so that they needn't be
/// read each time.
final class ProvenDocuments: Sendable {
    private let marks = Mutex<[JobID: FileMark]>([:])

    /// The most documents that are kept in mind; a wall shows fewer.
    private static let most = 10_000

    /// Returns whether a file with this mark was found to be a job's document.
    func have(_ job: JobID, _ mark: FileMark) -> Bool { marks.withLock { $0[job] == mark } }

    /// Notes that a file was found to be a job's document.
    func add(_ job: JobID, _ mark: FileMark) {
        marks.withLock { marks in
            if marks.count >= Self.most { marks = [:] }
            marks[job] = mark
        }
    }
}
