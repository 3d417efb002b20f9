import SmallFiles
import SourceCore

/// Secrets by their names: a file each, read when it is used.
struct SecretsFolder: Sendable {
    /// The most bytes of a secret.
    static let maximumLength = 64 * 1024

    let directories: [String]

    /// A secret's text without the line break at its end; nil where there is none of that name.
    ///
    /// A name is one plain word, which recipes are held to, so that it leads out of no folder.
    func text(_ name: String) -> String? {
        for directory in directories {
            if let text = Self.read("\(directory)/\(name)") { return text }
        }
        return nil
    }

    /// The secrets of these names, as far as they are there.
    func texts(_ names: [String]) -> [String: String] {
        Dictionary(names.compactMap { name in text(name).map { (name, $0) } }) { first, _ in first }
    }

    /// The place in which to put a secret, for people.
    var place: String { directories.last ?? "secrets.directory, which isn't set" }

    private static func read(_ path: String) -> String? {
        guard var bytes = try? WholeFile.bytes(path, atMost: maximumLength, .isRegular), !bytes.isEmpty
        else { return nil }
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
