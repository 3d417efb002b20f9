/// A folder in the documents directory, by its relative path; the empty path is that directory itself.
///
/// Each of its parts is a name that a document could have as well (``DocumentName``), so that no path leads
/// out of the directory, or to the unfinished files that may lie in it.
public struct DocumentFolder: Hashable, Sendable {
    /// The most folders that may lie within each other.
    public static let maximumParts = 8
    /// The longest path in bytes: with the longest name, and a documents directory of 2,800 bytes, it is a path
    /// that Linux opens (PATH_MAX).
    public static let maximumBytes = 1024

    /// The path, without a slash at either end.
    public let path: String

    /// The documents directory itself.
    public init() { path = "" }

    private init(safe path: String) { self.path = path }

    /// Folders are told apart by their bytes, as file systems do: texts that look the same may be two of them.
    public static func == (one: DocumentFolder, other: DocumentFolder) -> Bool {
        one.path.utf8.elementsEqual(other.path.utf8)
    }

    /// Takes a path that a client asks for as it is.
    public init(_ path: String) throws(Refusal) {
        let parts = Self.parts(of: path)
        guard !path.utf8.starts(with: "/".utf8) else { throw .absolute }
        guard parts.allSatisfy(DocumentName.isSafe) else { throw .unsafePart }
        guard parts.count <= Self.maximumParts else { throw .tooDeep }
        guard path.utf8.count <= Self.maximumBytes else { throw .tooLong }
        self.path = path
    }

    /// Makes the safe folder closest to a path that a stranger's data has; slashes too many are left out.
    ///
    /// - Throws: ``Refusal`` for a path that leads out of its folder, is too deep, or too long.
    public init(sanitizing path: String) throws(Refusal) {
        guard !path.utf8.starts(with: "/".utf8) else { throw .absolute }
        let parts = Self.parts(of: path).filter { !$0.isEmpty }
        guard !parts.isEmpty, !parts.contains(".."), !parts.contains(".") else { throw .unsafePart }
        try self.init(parts.map(DocumentName.sanitized).joined(separator: "/"))
    }

    /// Reads a path as it was stored; nil if it leads out of the documents directory.
    public init?(stored path: String) {
        guard path.isEmpty || Self.parts(of: path).allSatisfy(Self.isComponent) else { return nil }
        self.path = path
    }

    /// Makes a folder of names as a layout has them: each is made safe, an empty one is left out, and all are cut
    /// where they are too long together.
    init(_ names: [String]) {
        let names = names.filter { !$0.isEmpty }.prefix(Self.maximumParts).map(DocumentName.sanitized)
        let path = names.joined(separator: "/")
        guard path.utf8.count > Self.maximumBytes else {
            self.init(safe: path)
            return
        }
        let room = Self.maximumBytes / names.count - 1
        // The cut may have left white space at an end, which isn't allowed there.
        let cut = names.map { DocumentName.sanitized(Self.cut($0, to: room)) }
        self.init(safe: cut.joined(separator: "/"))
    }

    /// True for the documents directory itself.
    public var isTop: Bool { path.isEmpty }

    /// The names of the folders that lead to it, and its own.
    public var parts: [String] { isTop ? [] : Self.parts(of: path) }

    /// The folder that it lies in; the documents directory for that itself.
    public var parent: DocumentFolder {
        DocumentFolder(safe: path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "")
    }

    /// Returns the relative path of what has a name in this folder.
    public func placing(_ name: String) -> String { isTop ? name : path + "/" + name }

    /// Returns what lies between the slashes of a path.
    ///
    /// By bytes: to Swift, a slash and a combining mark behind it are one character.
    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }

    private static func cut(_ name: String, to room: Int) -> String {
        var (cut, count) = ("", 0)
        for character in name {
            count += character.utf8.count
            guard count <= room else { break }
            cut.append(character)
        }
        return cut
    }

    private static func isComponent(_ name: String) -> Bool {
        (1...DocumentName.maximumBytes).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains(0)
    }

    /// The reason why a path is no folder for documents.
    public enum Refusal: Error, Hashable, Sendable {
        /// It begins with a slash.
        case absolute
        /// A part is empty, or no safe name.
        case unsafePart
        /// It has more parts than ``maximumParts``.
        case tooDeep
        /// It has more bytes than ``maximumBytes``.
        case tooLong

        /// A sentence for people.
        public var message: String {
            switch self {
            case .absolute: "a folder is a path in the documents directory, so it doesn't begin with a slash"
            case .unsafePart:
                "each part of a folder has 1 to 255 bytes, no control characters, no dot in front and no white space at "
                    + "its ends"
            case .tooDeep: "a folder is at most \(maximumParts) levels deep"
            case .tooLong: "a folder has at most \(maximumBytes) bytes"
            }
        }
    }
}
