import Glibc
import SmallFiles

/// The file with what a follower keeps over restarts.
struct FollowerFile: Sendable {
    /// The content of the file.
    enum Kept<Content> {
        /// There is no file.
        case none
        /// What was kept.
        case content(Content)
        /// The bytes make no sense.
        case damaged
    }

    /// The path of the file.
    let path: String

    /// The path under which a damaged file is set aside.
    var damagedPath: String { path + ".damaged" }

    /// Reads what was kept.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that the follower can have kept; a longer file is damaged.
    ///   - content: Returns the content of the file's bytes; nil if they make no sense.
    /// - Throws: ``FileFailure`` if the file can't be read now.
    func read<Content>(
        atMost limit: Int,
        _ content: ([UInt8]) -> Content?
    ) throws(FileFailure) -> Kept<Content> {
        do throws(FileFailure) {
            let bytes = try WholeFile.bytes(path, atMost: limit, .isNoLink)
            return content(bytes).map(Kept.content) ?? .damaged
        } catch .system(ENOENT) {
            return .none
        } catch .tooLong {
            return .damaged
        }
    }

    /// Gives a damaged file another name, too.
    ///
    /// It keeps its own until it is replaced, so that a kill before that loses nothing of what must be said.
    func setAside() throws(FileFailure) {
        unlink(damagedPath)
        guard link(path, damagedPath) == 0 || rename(path, damagedPath) == 0 else { throw .system(errno) }
    }

    /// Keeps bytes, so that they survive a power cut.
    func write(_ bytes: [UInt8]) throws(FileFailure) { try KeptFile.write(bytes, to: path) }

    /// Removes the file.
    func remove() { unlink(path) }
}
