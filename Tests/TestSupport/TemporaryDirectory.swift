import Foundation
import Glibc

/// A directory of its own for a test, removed with everything in it when the
/// last reference goes.
public final class TemporaryDirectory: Sendable {
    /// The directory's absolute path, without links in it.
    public let path: String

    /// Makes an empty directory under the system's temporary directory, or under `parent`.
    public init(in parent: String? = nil) throws {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        let path = parent + "/facefetch-test-" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The absolute path of a name in the directory.
    public func path(_ name: String) -> String { path + "/" + name }

    /// Makes a directory in the directory, and says its path.
    public func directory(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Writes a file in the directory, and says its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Reads a file in the directory.
    public func read(_ name: String) throws -> [UInt8] {
        let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable(name: name, cause: errno) }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        // Straight into the array: as Data, what is large would be copied once more.
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
                let read = uninterrupted { Glibc.read(descriptor, rest.baseAddress, rest.count) }
                guard read > 0 else { return }
                count += read
            }
        }
    }

    /// A file that can't be read.
    public struct Unreadable: Error {
        public var name: String
        public var cause: Int32
    }

    /// Waits until there is a file of this name; false when it takes half a minute.
    public func appears(_ name: String) async -> Bool {
        let path = path(name)
        // Only what lies in a folder itself is told of it.
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        let watched = access(folder, F_OK) == 0 ? folder : self.path
        return await FolderWatch.until(in: watched) { FileManager.default.fileExists(atPath: path) }
    }

    /// The names in the directory, in order.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
