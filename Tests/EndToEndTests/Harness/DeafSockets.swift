import Foundation
import TestSupport

/// Connections that a real daemon stops reading: `Tests/DeafSockets`, preloaded.
enum DeafSockets {
    /// The reason why the tests that need it are skipped, if they are.
    static let comment: String = "libDeafSockets.so is not beside the test bundle"

    private static let library = Program.directory + "/libDeafSockets.so"
    static var isThere: Bool { FileManager.default.fileExists(atPath: library) }

    /// Returns the environment of a daemon whose first connections to a port, so many of them, are each read no further
    /// than so many bytes.
    static func environment(port: UInt16, afterBytes bytes: Int, connections: Int) -> [String: String] {
        ["LD_PRELOAD": library, "DEAF_SOCKETS": "\(port) \(bytes) \(connections)"]
    }
}
