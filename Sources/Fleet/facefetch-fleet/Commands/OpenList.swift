import Glibc
import SmallFiles

/// A list that is being read, line by line: it may be longer than there is memory.
final class OpenList {
    private let path: String
    private let file: Int32
    private var pieces: Pieces
    /// What has been read and belongs to no line yet.
    private var rest: ArraySlice<UInt8> = []
    private var number = 0
    private var hasEnded = false

    /// Opens a list; "-" is standard input.
    init(_ path: String) throws(FleetFailure) {
        self.path = path
        file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw FleetFailure(.usage, "\(path) can't be read: \(String(cString: strerror(errno))).")
        }
        pieces = Pieces(file, ofAtMost: 1 << 20)
    }

    deinit { if file != STDIN_FILENO { close(file) } }

    /// The place of the last line that was read, for people.
    var place: String { "\(path), line \(number)" }

    /// Reads a line, without its end; nil after the last.
    ///
    /// Of one that is longer than any that makes sense, it reads a part that is longer than that.
    func line() throws(FleetFailure) -> [UInt8]? {
        number += 1
        var line: [UInt8] = []
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                rest = rest[(end + 1)...]
                return line
            }
            line += rest
            // Nothing else may have the piece while the next one is read into its place.
            rest = []
            guard !hasEnded, line.count <= ListLine.longest else { return line.isEmpty ? nil : line }
            do throws(FileFailure) {
                if let piece = try pieces.next() { rest = piece } else { hasEnded = true }
            } catch {
                throw FleetFailure(.usage, "\(path) can't be read: \(error).")
            }
        }
    }
}
