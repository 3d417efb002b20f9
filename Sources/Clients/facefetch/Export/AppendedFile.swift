import ExportFormats
import Glibc

/// A file of earlier exports that lines are added to.
///
/// Lines go to it as they come: whoever follows it sees them, and a run that ends badly leaves what was
/// there before it. What a kill has torn is cut off before the next goes on.
final class AppendedFile {
    /// The file to write to.
    let bytes: ByteFile
    /// The number in the last line; 0 if there is none.
    let lastEnded: Int64
    /// True if nothing is in the file, not even a heading.
    let isEmpty: Bool
    private let length: off_t
    private var isOver = false

    /// Opens a file; nil if there is none.
    ///
    /// - Throws: ``ClientError`` when it can't be continued.
    init?(_ path: String, _ kind: LineScan.Kind, _ coordinates: Coordinates) throws(ClientError) {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw ByteFile.failure(path, errno)
        }
        let bytes = ByteFile(path, descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .unsuccessful("Another export is adding to \(path.safeForTerminal): wait until it is over.")
        }
        guard let mode = FilePath.mode(path), FilePath.isFile(mode) else {
            throw .usage("\(path.safeForTerminal) is not a file that lines can be added to.")
        }
        let scan = try LineScan(descriptor, path, kind, coordinates)
        guard ftruncate(descriptor, off_t(scan.end)) == 0 else { throw ByteFile.failure(path, errno) }
        self.bytes = bytes
        lastEnded = scan.lastEnded
        isEmpty = scan.end == 0
        length = off_t(scan.end)
    }

    /// Sees to it that all is on the disk.
    ///
    /// - Throws: ``ClientError`` when it isn't.
    func finish() throws(ClientError) {
        try bytes.sync()
        isOver = true
    }

    /// Removes what was added.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        ftruncate(bytes.descriptor, length)
    }
}

/// Either kind of file that lines are written to.
enum LineFile {
    /// One that begins again.
    case new(NewFile)
    /// One that is continued.
    case old(AppendedFile)

    /// The file to write to.
    var bytes: ByteFile {
        switch self {
        case .new(let file): file.bytes
        case .old(let file): file.bytes
        }
    }

    /// The number in the last line of one that is continued.
    var lastEnded: Int64? {
        if case .old(let file) = self { file.lastEnded } else { nil }
    }

    /// True if nothing is in it yet.
    var isEmpty: Bool {
        if case .old(let file) = self { file.isEmpty } else { true }
    }

    /// Sees to it that all is on the disk and under its name.
    func finish() throws(ClientError) {
        switch self {
        case .new(let file): try file.finish()
        case .old(let file): try file.finish()
        }
    }

    /// Removes what was written.
    func abandon() {
        switch self {
        case .new(let file): file.abandon()
        case .old(let file): file.abandon()
        }
    }
}
