import CLinux
import Glibc
import Vocabulary

/// Notes in the state directory which directory the partials are in that the job store tells of.
///
/// There are two places for partials, and a documents directory may be another one at each start. What lies in a
/// place that was not in use last is of another time: jobs have gone on elsewhere since, and it may be the
/// beginning of another version of their file.
///
/// The note is the name of an empty file, which takes no room on a full disk. It has the directory's number and
/// time of birth. Where the file system doesn't know that time, or gives out other numbers with each mount, it has
/// a token, drawn at random, which lies in the directory as the name of an empty file, too, together with what
/// there is of the two. A copy of such a directory is taken for the directory itself only where the file system
/// has neither times of birth nor numbers that stay: nothing tells them apart.
enum PartialOrigin {
    private static let prefix = "partials-in-"
    private static let tokenPrefix = ".facefetch-token-"
    /// The note that the directory in use last is known by nothing.
    private static let nowhere = prefix + "nowhere"

    /// The description of a directory by its file system.
    struct Evidence {
        /// Its number.
        var number: UInt64
        /// The time of its birth in nanoseconds; 0 where nobody knows it.
        var birth: Int64
        /// True if the number stays the same when its file system is mounted again.
        var keepsNumber: Bool
    }

    /// Removes the partials that no job's store tells of, and notes which directory is in use from now on.
    ///
    /// - Parameter look: returns what a directory's file system says of it.
    /// - Throws: ``DocumentStoreError``, but not where there is no room.
    static func settle(
        _ folders: Folders,
        in home: Directory,
        look: (Directory) -> Evidence = Evidence.init
    ) throws(DocumentStoreError) {
        let (used, noted) = (folders.partials, notes(in: home))
        let other = otherPlace(than: used, folders, home)
        if noted.isEmpty {
            // There was no room for a note.
            if let other, other.hasPartials, used.hasPartials { used.removePartials() }
        } else if !(name(of: used, look(used)).map { noted.contains($0) } ?? false) {
            used.removePartials()
        }
        // The other one may be another daemon's, beside the same documents.
        if folders.keepsPartialsWithDocuments { other?.removePartials() }
        try note(used, in: home, look: look)
    }

    /// Notes which directory is in use from now on.
    ///
    /// Where there is no room for a token, the note says that no directory is known, and the next start trusts no
    /// partial. An old note becomes the new one without room; where the first one has none, the next start trusts the
    /// only place that has any.
    ///
    /// - Throws: ``DocumentStoreError``, but not where there is no room.
    static func note(
        _ partials: Directory,
        in home: Directory,
        look: (Directory) -> Evidence = Evidence.init
    ) throws(DocumentStoreError) {
        let evidence = look(partials)
        let noted = notes(in: home)
        let own: String
        if let name = name(of: partials, evidence) {
            own = name
        } else {
            own = try newName(of: partials, evidence)
        }
        guard noted != [own] else { return }
        // Before the new one is there, so that no end of the daemon leaves both. A new name for an old one takes no
        // room.
        let (kept, others) = (noted.contains(own), noted.subtracting([own]).sorted())
        for name in others.dropFirst(kept ? 0 : 1) { _ = unlinkat(home.descriptor, name, 0) }
        if !kept { try put(own, inPlaceOf: others.first, in: home) }
        try sync(home)
    }

    /// Gives an old note a new name, or makes one.
    private static func put(
        _ note: String,
        inPlaceOf old: String?,
        in home: Directory
    ) throws(DocumentStoreError) {
        if let old {
            if renameat(home.descriptor, old, home.descriptor, note) == 0 { return }
            _ = unlinkat(home.descriptor, old, 0)
        }
        try create(note, in: home)
    }

    /// Creates an empty file, if there is room.
    private static func create(_ name: String, in directory: Directory) throws(DocumentStoreError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let file = openat(directory.descriptor, name, flags, 0o600)
        if file >= 0 { close(file) } else { try check(errno, directory.path + "/" + name) }
    }

    private static func sync(_ directory: Directory) throws(DocumentStoreError) {
        try check(directory.sync(), directory.path)
    }

    /// Throws what an error number means, unless the daemon can do without: where there is no room, or where the
    /// file system has no syncing of directories (fsync(2)), which then needs none.
    static func check(_ number: CInt, _ path: String) throws(DocumentStoreError) {
        switch number {
        case 0, ENOSPC, EDQUOT, EINVAL, EOPNOTSUPP: break
        default: throw .writing(path, number)
        }
    }

    /// The place for partials that is not in use, if it is there.
    private static func otherPlace(than used: Directory, _ folders: Folders, _ home: Directory) -> Directory?
    {
        let paths = Folders.partialPaths(state: home.path, documents: folders.documents.path)
        let other = Directory(existing: folders.keepsPartialsWithDocuments ? paths.usual : paths.other)
        return other.flatMap { $0.isSame(as: used) ? nil : $0 }
    }

    private static func notes(in home: Directory) -> Set<String> {
        Set(home.names().filter { $0.hasPrefix(prefix) })
    }

    // MARK: - Names

    /// Returns the name of the note on a directory, which stays the same when it is moved or mounted again; nil where
    /// it needs a token and has none.
    private static func name(of directory: Directory, _ evidence: Evidence) -> String? {
        guard evidence.birth == 0 || !evidence.keepsNumber else {
            return "\(prefix)\(evidence.number)-of-\(evidence.birth)"
        }
        let tokens = tokens(in: directory)
        // Two are of two directories, whose files somebody has put into one.
        guard tokens.count == 1, let token = tokens.first else { return nil }
        return name(token, evidence)
    }

    private static func name(_ token: String, _ evidence: Evidence) -> String {
        let number = evidence.keepsNumber ? "-at-\(evidence.number)" : ""
        let birth = evidence.birth == 0 ? "" : "-of-\(evidence.birth)"
        return prefix + token.dropFirst(tokenPrefix.count) + number + birth
    }

    /// Gives a directory a new token, and returns the name of the note on it.
    private static func newName(
        of directory: Directory,
        _ evidence: Evidence
    ) throws(DocumentStoreError) -> String {
        for token in tokens(in: directory) { _ = unlinkat(directory.descriptor, token, 0) }
        let words = (1...2).map { _ in UInt64.random(in: .min ... .max).hexText }
        let token = tokenPrefix + words.joined(separator: "-")
        try create(token, in: directory)
        try sync(directory)
        // Without room it has none.
        return directory.holds(token) ? name(token, evidence) : nowhere
    }

    private static func tokens(in directory: Directory) -> [String] {
        directory.names().filter { $0.hasPrefix(tokenPrefix) }
    }
}

extension PartialOrigin.Evidence {
    /// The file systems that may number their files anew with each mount: FUSE's, FAT's, and those of other machines
    /// (statfs(2): FUSE, MSDOS, EXFAT, SMB, CIFS, SMB2, 9P).
    ///
    /// NFS has the numbers of its server's file system (RFC 1813, 2.5, fileid), and seldom times of birth.
    private static let renumbering: Set<UInt32> = [
        0x6573_5546, 0x4d44, 0x2011_bab0, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997,
    ]

    init(_ directory: Directory) {
        var status = stat()
        let isKnown = fstat(directory.descriptor, &status) == 0
        let system = CLinux_file_system(directory.descriptor)
        number = UInt64(status.st_ino)
        birth = isKnown ? CLinux_birth_time(directory.descriptor) : 0
        keepsNumber = system != 0 && !Self.renumbering.contains(system)
    }
}
