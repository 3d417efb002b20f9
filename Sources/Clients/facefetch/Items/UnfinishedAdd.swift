import ControlAPI
import Digests
import FoundationEssentials
import Glibc
import SmallFiles
import Vocabulary

/// The keys under which a list is posted, remembered until all of it is in.
///
/// A command that was cut off and is repeated posts under the same keys, and so adds nothing twice. A list
/// that was added whole is forgotten: whoever adds it again wants to have it again.
struct UnfinishedAdd {
    /// True if a repeated command would know the keys again.
    let isRemembered: Bool
    /// True if an earlier command began to add the same list.
    let wasBegun: Bool
    private let key: String
    private let path: String?

    /// The seconds after which a list that was cut off isn't resumed: seven days.
    private static let longest = 7 * 86_400
    private static let mark = "facefetch-add 1 "

    /// Looks up what is remembered of a list, or begins to remember it.
    ///
    /// Where nothing can be remembered, the keys are new.
    ///
    /// - Parameter digest: The list's digest; see ``digest(_:to:)``.
    init(_ digest: String, _ environment: [String: String]) {
        let folder =
            StateFolder.ofService(environment).map { $0 + "/adding" }
            ?? StateFolder.ofPerson(environment).map { $0 + "/adding" }
        path = folder.map { $0 + "/" + digest }
        let new = Self.newKey()
        guard let folder, let path else {
            (key, isRemembered, wasBegun) = (new, false, false)
            return
        }
        Self.removeOld(in: folder)
        if let known = Self.read(path) {
            (key, isRemembered, wasBegun) = (known, true, true)
            return
        }
        key = new
        wasBegun = false
        do {
            try StateFolder.make(folder)
            let temporary = FilePath.temporary(beside: path)
            let file = try ByteFile(creating: temporary, as: path)
            try file.add(Array((Self.mark + new + "\n").utf8))
            try file.sync()
            guard rename(temporary, path) == 0 else {
                unlink(temporary)
                isRemembered = false
                return
            }
            FilePath.sync(folder: folder)
            isRemembered = true
        } catch {
            isRemembered = false
        }
    }

    /// The key of a part of the list, by its number.
    func key(part: Int) -> String { "\(key)-\(part)" }

    /// Forgets the list, all of which is in, or nothing.
    func forget() {
        if let path { unlink(path) }
    }

    /// Returns the digest of all that is posted for a list, batch after batch in JSON, to the daemon at a socket.
    static func digest(_ batches: some Sequence<[UInt8]>, to socket: String) -> String {
        var hash = SHA256()
        hash.update(data: Array((socket + "\n").utf8))
        for batch in batches { hash.update(data: batch) }
        return hash.finalize().hexText
    }

    /// A key that makes a repeated post harmless: 128 random bits.
    static func newKey() -> String {
        (0..<2).map { _ in UInt64.random(in: .min ... .max).hexText }.joined(separator: "-")
    }

    private static func read(_ path: String) -> String? {
        guard access(path, R_OK) == 0, let text = try? TextFile.read(path, what: "What is remembered"),
            text.hasPrefix(mark), text.hasSuffix("\n")
        else { return nil }
        let key = text.dropFirst(mark.count).dropLast()
        let isKey = (1...64).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isKey ? String(key) : nil
    }

    private static func removeOld(in folder: String) {
        for name in (try? WholeFolder.names(folder)) ?? [] {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, FilePath.isFile(status.st_mode),
                time(nil) - status.st_mtim.tv_sec > longest
            else { continue }
            unlink(path)
        }
    }
}
