import Foundation
import Glibc

/// A folder on a real disk in which every run gets a directory of its own, and which is deleted as a whole.
///
/// ext4 steps over inodes that were deleted a short while ago when it looks for free ones, so that for
/// minutes after many were, it takes several times as long to make files there. Nothing is deleted between
/// runs, therefore, and each is in a part of the disk of its own, since programs delete files as well.
final class RealDisk {
    /// The type of its file system, such as ext4.
    let fileSystem: String
    private let folder: String
    private var directories = 0

    /// Makes the folder below another one, which need not exist.
    init(below parent: String) throws {
        folder = URL(fileURLWithPath: parent).path + "/\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        fileSystem = try Self.fileSystem(of: folder)
        if ["tmpfs", "ramfs"].contains(fileSystem) {
            rmdir(folder)
            throw BenchError.usage("\(parent) is on a memory disk: set DISK to a folder on a real one")
        }
        // Folders in one that is marked so are laid far from each other (chattr(1)).
        if fileSystem == "ext4" { try Command("chattr", ["+T", folder]).run() }
    }

    /// Makes an empty directory, with nothing left to be written from what was done before.
    func freshDirectory() throws -> String {
        directories += 1
        let path = folder + "/\(directories)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        sync()
        return path
    }

    /// Deletes everything.
    func close() { try? FileManager.default.removeItem(atPath: folder) }

    /// Returns the file system that is mounted where a folder is.
    private static func fileSystem(of folder: String) throws -> String {
        let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path + "/"
        let text = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        var nearest = (point: "", type: "")
        for line in text.split(separator: "\n") {
            // The mount point is the fifth field, and the type the first after a lone dash (proc(5)). What is
            // mounted later hides what was mounted there before.
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count > 5, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
                continue
            }
            let point = fields[4].hasSuffix("/") ? fields[4] : fields[4] + "/"
            if path.hasPrefix(point), point.count >= nearest.point.count {
                nearest = (point, fields[dash + 1])
            }
        }
        guard !nearest.type.isEmpty else { throw BenchError.failed("nobody knows what \(folder) is on") }
        return nearest.type
    }
}
