import Glibc
import SmallFiles

/// A file of the settings that nobody else may read.
struct SecretFile {
    /// The setting that names it.
    let key: String
    /// Its path.
    let path: String

    /// The most bytes that it may have.
    private static let maximumSize = 65536

    /// Returns its lines without white space, except for empty ones and comments.
    ///
    /// - Throws: ``StartFailure`` where it can't be read, or others can read it.
    func lines() throws(StartFailure) -> [String] {
        String(decoding: try bytes(atMost: Self.maximumSize), as: UTF8.self).split(
            whereSeparator: \.isNewline
        )
        .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    /// Returns its bytes.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that it may have.
    ///   - isSecret: True if others must not be able to read it.
    /// - Throws: ``StartFailure`` where it can't be read, or others can read it, or it is too long.
    func bytes(atMost limit: Int, isSecret: Bool = true) throws(StartFailure) -> [UInt8] {
        let mode: mode_t
        let bytes: [UInt8]
        do throws(FileFailure) {
            let file = try OpenedFile(path, .isRegular)
            mode = file.mode
            bytes = try file.bytes(atMost: limit)
        } catch .system(let number) {
            throw failure("can't be read: \(String(cString: strerror(number)))")
        } catch .notRegular {
            throw failure("is not a file")
        } catch {
            throw failure("has more than \(limit) bytes")
        }
        guard !isSecret || mode & (S_IROTH | S_IWOTH | S_IWGRP) == 0 else {
            throw failure("can be read or changed by others: chmod 600 it, or 640 for the daemon's group")
        }
        return bytes
    }

    /// Returns the failure that something is wrong with the file.
    func failure(_ words: String) -> StartFailure {
        StartFailure(status: .badSettings, description: "\(key): \(path) \(words)")
    }
}
