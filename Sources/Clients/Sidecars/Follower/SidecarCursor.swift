import Glibc
import SmallFiles

/// The file that keeps how far the sidecars are.
struct SidecarCursor: Sendable {
    /// The path of the file.
    let path: String

    private static let head = "facefetch-sidecars 1"

    /// The content of the file.
    enum Content: Hashable {
        /// There is no file.
        case none
        /// The number that was kept.
        case number(Int64)
        /// The file's content makes no sense.
        case damaged
    }

    /// The path under which a damaged file is set aside.
    var damagedPath: String { path + ".damaged" }

    /// Returns what the file says.
    ///
    /// - Throws: ``SidecarFailure`` if it can't be read.
    func read() throws(SidecarFailure) -> Content {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try WholeFile.bytes(path, atMost: 100, .isNoLink)
        } catch .system(ENOENT) {
            return .none
        } catch .tooLong {
            return .damaged
        } catch {
            throw failure(error)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == Self.head, let number = Int64(lines[1]), number >= 0 else {
            return .damaged
        }
        return .number(number)
    }

    /// Gives a damaged file another name, for whoever wants to look at it.
    func setAside() throws(SidecarFailure) {
        guard rename(path, damagedPath) == 0 else { throw failure(.system(errno)) }
    }

    /// Keeps a number, so that it survives a power cut.
    func keep(_ number: Int64) throws(SidecarFailure) {
        do throws(FileFailure) {
            try KeptFile.write(Array("\(Self.head)\n\(number)\n".utf8), to: path)
        } catch {
            throw failure(error)
        }
    }

    /// Removes the file.
    func remove() { unlink(path) }

    private func failure(_ error: FileFailure) -> SidecarFailure {
        SidecarFailure(path: path, number: error.number)
    }
}
