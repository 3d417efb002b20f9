import Digests
import Foundation
import Glibc
import JobModel
import SmallFiles
import Synchronization
import Vocabulary

/// A write-ahead log of the moves of bodies from memory to their names, in two files that are written in
/// turn.
///
/// A document with a name that the store of jobs doesn't know yet would belong to nobody after a crash. A
/// line here costs less than a commit there, and one sync serves all that are moved together. What it says
/// counts only until the store of jobs says the same (``confirm(_:)``).
final class MoveJournal: Sendable {
    /// One of the files.
    private struct File {
        let path: String
        /// -1 until something is written.
        var descriptor: CInt = -1
        var length: Int64
        /// The jobs in it that are not confirmed.
        var pending: Set<JobID> = []
        /// True if it has lines of the last run, which are to go as soon as they can: with another store, the
        /// same numbers could be those of other jobs.
        var isOld = false
    }

    private struct State {
        var files: [File]
        var current = 0
        var lastNumber: Int64
    }

    /// The moves of the last run that it can't have confirmed for certain.
    let unconfirmed: [JobID: UnconfirmedDocument]
    private let state: Mutex<State>

    /// The length in bytes from which a file is emptied, or the other one written.
    static let fullLength: Int64 = 256 << 10
    /// The most bytes of a file that are read: what a run without a single confirmation could not fill.
    private static let longestRead: Int64 = 16 << 20

    /// Reads what the files in a directory say; they are created once something is written.
    init(in directory: String) {
        var moves: [JobID: (number: Int64, document: UnconfirmedDocument)] = [:]
        var files: [File] = []
        for number in 1...2 {
            let path = "\(directory)/moves.\(number)"
            let text = Self.text(of: path)
            for line in text.split(separator: UInt8(ascii: "\n")) {
                guard let move = Self.move(in: line), moves[move.job]?.number ?? 0 < move.number else {
                    continue
                }
                moves[move.job] = (move.number, move.document)
            }
            files.append(File(path: path, length: Int64(text.count), isOld: !text.isEmpty))
        }
        unconfirmed = moves.mapValues(\.document)
        for index in files.indices where files[index].isOld { files[index].pending = Set(moves.keys) }
        state = Mutex(State(files: files, lastNumber: moves.values.map(\.number).max() ?? 0))
    }

    deinit { state.withLock { for file in $0.files where file.descriptor >= 0 { close(file.descriptor) } } }

    private static func text(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        _ = try? PartialReader.read(descriptor, from: 0, to: longestRead) { text += $0 }
        return text
    }

    /// Writes down where partials are to be moved, and syncs that; returns the errno, 0 for success.
    func note(_ moves: [Publishing]) -> CInt {
        state.withLock { state in
            Self.makeRoom(&state)
            guard Self.isOpen(&state.files[state.current]) else { return errno }
            // Ends what a write that was cut off may have left.
            var text: [UInt8] = [UInt8(ascii: "\n")]
            for move in moves {
                state.lastNumber += 1
                let document = UnconfirmedDocument(
                    reservation: move.reservation,
                    validator: move.validator,
                    response: move.response
                )
                text += Self.line(state.lastNumber, move.job, document)
            }
            let file = state.files[state.current]
            state.files[state.current].length += Int64(text.count)
            do throws(FileFailure) { try WholeFile.write(text, to: file.descriptor) } catch {
                return error.number
            }
            guard fdatasync(file.descriptor) == 0 else { return errno }
            state.files[state.current].pending.formUnion(moves.map(\.job))
            return 0
        }
    }

    /// Notes that nothing depends on these jobs' lines any more.
    func confirm(_ jobs: [JobID]) {
        state.withLock { state in
            for index in state.files.indices {
                state.files[index].pending.subtract(jobs)
                if state.files[index].isOld, state.files[index].pending.isEmpty {
                    Self.empty(&state.files[index])
                }
            }
        }
    }

    /// Empties a full file, or turns to the other one; grows on while neither can be emptied.
    private static func makeRoom(_ state: inout State) {
        guard state.files[state.current].length >= fullLength else { return }
        for index in [state.current, 1 - state.current] where state.files[index].pending.isEmpty {
            guard empty(&state.files[index]) else { continue }
            state.current = index
            return
        }
    }

    @discardableResult
    private static func empty(_ file: inout File) -> Bool {
        guard isOpen(&file), ftruncate(file.descriptor, 0) == 0 else { return false }
        file.length = 0
        file.isOld = false
        return true
    }

    /// Opens a file, unless it is open; returns whether it is, with errno set if not.
    private static func isOpen(_ file: inout File) -> Bool {
        guard file.descriptor < 0 else { return true }
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        // A new file's lines are worth nothing while a power cut can take its name.
        do throws(FileFailure) {
            try KeptFile.sync(folder: KeptFile.folder(of: file.path))
        } catch {
            close(descriptor)
            errno = error.number
            return false
        }
        file.descriptor = descriptor
        return true
    }

    // MARK: - Lines

    /// Returns the line for a move: a checksum and then, separated by spaces, a number that ascends, the job,
    /// what identifies the file, the server's version of it, and its path in the documents directory.
    static func line(_ number: Int64, _ job: JobID, _ document: UnconfirmedDocument) -> [UInt8] {
        let (reservation, sealed) = (document.reservation, document.reservation.sealed)
        let text = """
            \(number) \(job.rawValue) \(sealed.inode) \(sealed.length) \(sealed.modified ?? 0) \
            \(sealed.sha256 ?? "-") \(field(of: document)) \(reservation.path)
            """
        return Array("\(checksum(text.utf8)) \(text)\n".utf8)
    }

    /// Reads a line; nil if it is damaged, or was cut off.
    static func move(
        in line: ArraySlice<UInt8>
    ) -> (number: Int64, job: JobID, document: UnconfirmedDocument)? {
        guard let text = String(validating: line, as: UTF8.self) else { return nil }
        let fields = text.split(separator: " ", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9, fields[0] == checksum(text.utf8.dropFirst(fields[0].utf8.count + 1)),
            let number = Int64(fields[1]), let job = Int64(fields[2]), let inode = UInt64(fields[3]),
            let length = Int64(fields[4]), let modified = Int64(fields[5])
        else { return nil }
        let sealed = SealedPartial(
            inode: inode,
            length: length,
            sha256: fields[6] == "-" ? nil : String(fields[6]),
            modified: modified
        )
        guard let reservation = Job.Reservation(path: String(fields[8]), sealed: sealed) else { return nil }
        // Where nothing is known of what the server said, the version stands alone.
        let version = fields[7].split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let document = UnconfirmedDocument(
            reservation: reservation,
            validator: validator(in: version[0]),
            response: version.count < 2
                ? nil : Self.text(inBase64: version[1]).flatMap(ServerResponse.init(text:))
        )
        return (number, JobID(rawValue: job), document)
    }

    /// Returns what is known of a server's file as a word: its version, and behind a tilde what the server said of it,
    /// in base64.
    private static func field(of document: UnconfirmedDocument) -> String {
        let response = document.response.map { "~" + Data($0.text.utf8).base64EncodedString() }
        return field(of: document.validator) + (response ?? "")
    }

    /// Returns a version of a server's file as a word: which kind of validator, and its text in base64.
    private static func field(of validator: Validator?) -> String {
        switch validator {
        case .entityTag(let tag): "etag:" + Data(tag.utf8).base64EncodedString()
        case .lastModified(let date): "date:" + Data(date.utf8).base64EncodedString()
        case nil: "-"
        }
    }

    private static func validator(in field: Substring) -> Validator? {
        guard let text = text(inBase64: field.dropFirst(5)) else { return nil }
        return switch field.prefix(5) {
        case "etag:": .entityTag(text)
        case "date:": .lastModified(text)
        default: nil
        }
    }

    private static func text(inBase64 field: Substring) -> String? {
        Data(base64Encoded: String(field)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// A checksum that tells a line that was cut off from a whole one: 64 bits of its SHA-256.
    private static func checksum(_ bytes: some Collection<UInt8>) -> String {
        SHA256.hash(data: Array(bytes)).prefix(8).hexText
    }
}
