import Foundation
import TestSupport

/// The sources that these tests were built from.
enum Repository {
    /// The top of the checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The interpreter for its scripts; nil where there is none.
    static let python = Shell.find("python3")

    /// A file in it, by its path from the top.
    static func path(_ name: String) -> String { root + "/" + name }
}
