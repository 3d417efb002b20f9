import CLinux
import Glibc
import SmallFiles

/// Notes in the state directory which directory the documents are in, so that the empty place of a disk that isn't
/// mounted at a start isn't taken for it.
///
/// A directory is known by its number and time of birth. Another one is theirs as well if any of the documents is
/// there, as after a move to a larger disk, if the settings name another path, or if somebody says so.
public struct DocumentOrigin: Sendable {
    /// The path of the documents directory.
    public let path: String
    private let note: String
    /// The paths of documents that there should be, the newest first.
    private let documents: [String]

    /// The name of the empty file by which somebody says that a directory is the right one.
    public static let consent = ".facefetch-accept"
    /// The longest note: a path, and what its directory is known by.
    private static let longest = 8192

    /// The origin of documents in a directory.
    public init(path: String, stateDirectory: String, documents: [String] = []) {
        self.path = path
        note = stateDirectory + "/documents-in"
        self.documents = documents
    }

    /// Returns why the directory is not the one of the last run; nil if it is, or may be.
    public func doubt() -> String? {
        guard let noted = try? WholeFile.bytes(note, atMost: Self.longest), !documents.isEmpty else {
            return nil
        }
        let lines = String(decoding: noted, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard lines.count == 2, lines[1] == path, lines[0] != identity ?? "nothing",
            !documents.contains(where: { access($0, F_OK) == 0 }),
            access(path + "/" + Self.consent, F_OK) != 0
        else { return nil }
        return """
            the documents directory \(path) is not the one of the last run, and has none of its documents: mount its disk, \
            or put them back; to go on with this one, make an empty file \(Self.consent) in it
            """
    }

    /// Notes that the directory is theirs from now on; where there is no room for that, the old note stays.
    func settle() {
        guard let identity else { return }
        let words = Array("\(identity)\n\(path)".utf8)
        if (try? WholeFile.bytes(note, atMost: Self.longest)) != words {
            try? KeptFile.write(words, to: note)
        }
        _ = unlink(path + "/" + Self.consent)
    }

    /// What the directory is known by; nil if there is none.
    private var identity: String? {
        guard let directory = Directory(following: path) else { return nil }
        // What is in memory is made anew with each run of the machine.
        guard CLinux_file_system(directory.descriptor) != 0x0102_1994 else { return "in-memory" }
        let evidence = PartialOrigin.Evidence(directory)
        guard evidence.birth != 0 || evidence.keepsNumber else { return "unnumbered" }
        return "\(evidence.number)-of-\(evidence.birth)"
    }
}
