import CLinux
import Glibc

/// Notes in the state directory which directory the partials are in that the job store tells of.
///
/// There are two places for partials, and a documents directory may be another one at each start. What lies in a
/// place that was not in use last is of another time: jobs have gone on elsewhere since, and it may be the
/// beginning of another version of their file.
///
/// The note is the name of an empty file, which takes no room on a full disk.
enum PartialOrigin {
    private static let prefix = "partials-in-"

    /// Removes the partials that no job's store tells of, and notes which directory is in use from now on.
    ///
    /// - Throws: ``DocumentStoreError``
    static func settle(_ folders: Folders, in home: Directory) throws(DocumentStoreError) {
        let (used, noted) = (folders.partials, notes(in: home))
        let other = otherPlace(than: used, folders, home)
        if noted.isEmpty {
            // An earlier version didn't say where they are.
            if let other, other.hasPartials, used.hasPartials { used.removePartials() }
        } else if !noted.contains(name(of: used)) {
            used.removePartials()
        }
        // The other one may be another daemon's, beside the same documents.
        if folders.keepsPartialsWithDocuments { other?.removePartials() }
        try note(used, in: home)
    }

    /// Notes which directory is in use from now on.
    ///
    /// - Throws: ``DocumentStoreError``
    static func note(_ partials: Directory, in home: Directory) throws(DocumentStoreError) {
        let (own, noted) = (name(of: partials), notes(in: home))
        guard noted != [own] else { return }
        // Before the new one is there, so that no end of the daemon leaves both.
        for name in noted where name != own { _ = unlinkat(home.descriptor, name, 0) }
        if !noted.contains(own) {
            let file = openat(home.descriptor, own, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw .writing(home.path + "/" + own, errno) }
            close(file)
        }
        let number = home.sync()
        guard number == 0 else { throw .writing(home.path, number) }
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

    /// Returns the name of the note on a directory, which stays the same when it is moved or mounted again.
    private static func name(of directory: Directory) -> String {
        var status = stat()
        _ = fstat(directory.descriptor, &status)
        let born = CLinux_birth_time(directory.descriptor)
        // Where nobody knows when it was made, its number alone could be that of one on another disk.
        let other = born == 0 ? "on-\(directory.fileSystem)" : "of-\(born)"
        return "\(prefix)\(status.st_ino)-\(other)"
    }
}

extension Directory {
    /// The number of its file system, 0 where that has none.
    fileprivate var fileSystem: UInt {
        var status = statvfs()
        return fstatvfs(descriptor, &status) == 0 ? status.f_fsid : 0
    }
}
