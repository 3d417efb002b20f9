import Glibc
import JobModel

/// The steps that a file goes through in the folder: seen, taken, and given its last name.
///
/// It blocks its thread.
struct FolderDesk: Sendable {
    let folder: Folder

    private static let failed = EntryName("failed")
    /// The beginning of the names of attempts' marks; no file with such a name is taken.
    private static let attempt = ".attempt-"

    /// Opens the folder at a path.
    init(_ path: String) throws(FolderFailure) { folder = try Folder(path) }

    /// Returns the regular files in the folder, and what was taken before and isn't done.
    func look() throws(FolderFailure) -> (files: [Sighting], claims: [Claim]) {
        var files: [Sighting] = []
        // What is left alone for ever, as links and other people's folders are, takes nobody's place.
        let names = try folder.names { name in
            if Claim.isFolder(name) { return (try? Folder(name, in: folder))?.isOurs == true }
            guard EntryKind(name) != nil, let sighting = folder.sighting(name) else { return false }
            files.append(sighting)
            return true
        }
        let claims = names.filter(Claim.isFolder).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return (files, claims.compactMap(claim))
    }

    /// Returns the file that lies in a hidden folder of ours; removes one that has none.
    private func claim(in name: EntryName) -> Claim? {
        guard let hidden = try? Folder(name, in: folder), hidden.isOurs,
            let names = try? hidden.names(limit: 1, where: { !$0.hasPrefix(Self.attempt) })
        else { return nil }
        guard let file = names.first else {
            remove(name, hidden)
            return nil
        }
        return Claim(folder: name, name: file)
    }

    /// Removes a hidden folder whose file is gone.
    private func remove(_ name: EntryName, _ hidden: Folder) {
        for mark in Self.marks(in: hidden) { hidden.remove(mark) }
        folder.removeFolder(name)
    }

    private static func marks(in hidden: Folder) -> [EntryName] {
        (try? hidden.names(limit: 100) { $0.hasPrefix(attempt) }) ?? []
    }

    /// Notes that what was taken is about to be read, unless that was noted so often that it isn't any more.
    ///
    /// The note survives a power cut: should reading end the daemon, its next run knows.
    ///
    /// - Returns: how often it was begun before without an end.
    func begin(_ claim: Claim, atMost most: Int) throws(FolderFailure) -> Int {
        let hidden = try Folder(claim.folder, in: folder)
        let earlier = Self.marks(in: hidden).count
        guard earlier < most else { return earlier }
        try hidden.write("", to: Self.mark(earlier + 1))
        try hidden.sync()
        return earlier
    }

    /// Notes that the daemon lives after an attempt from which nothing has come.
    func end(_ claim: Claim, earlier: Int) {
        (try? Folder(claim.folder, in: folder))?.remove(Self.mark(earlier + 1))
    }

    private static func mark(_ number: Int) -> EntryName { EntryName("\(attempt)\(number)") }

    /// Claims a file, so that nobody finds it under its name any more.
    ///
    /// - Returns: nil if it has changed meanwhile, or is gone.
    func claim(_ sighting: Sighting, at time: Timestamp) throws(FolderFailure) -> Claim? {
        let claim = Claim(sighting, at: time.microseconds)
        try folder.make(claim.folder, mode: 0o700, exists: false)
        do throws(FolderFailure) {
            let hidden = try Folder(claim.folder, in: folder)
            guard folder.sighting(sighting.name)?.mark == sighting.mark else {
                folder.removeFolder(claim.folder)
                return nil
            }
            try folder.move(sighting.name, to: claim.name, in: hidden)
            // Or a power cut would bring the file back, to be taken and added again.
            try hidden.sync()
            try folder.sync()
            return claim
        } catch {
            folder.removeFolder(claim.folder)
            if error.errno == ENOENT { return nil }
            throw error
        }
    }

    /// Copies what was taken to a place where listers may read it.
    ///
    /// `isOver` says whether nobody waits for it any more.
    func copy(
        _ claim: Claim,
        to path: String,
        limit: Int64,
        room: CopyRoom,
        isOver: @escaping () -> Bool
    ) throws(FileCopy.Failure) -> FileCopy.Copied {
        let hidden: Folder
        do throws(FolderFailure) { hidden = try Folder(claim.folder, in: folder) } catch {
            throw .unreadable(error)
        }
        return try FileCopy(
            name: claim.name,
            folder: hidden,
            limit: limit,
            room: room,
            isOver: isOver
        ).make(at: path)
    }

    /// Gives a file that was added its last name, in the place of an older one's.
    func finish(_ claim: Claim) throws(FolderFailure) {
        try release(claim, as: Self.lastName(of: claim.name), in: folder)
    }

    /// The name that a file gets once it was added.
    private static func lastName(of name: EntryName) -> EntryName { name.appending(".added") }

    /// Gives a file that was added its first name again, if it has grown since and nothing else has that name.
    ///
    /// - Returns: Whether it may still do so; nil if it is there no more.
    func takeBack(_ list: AddedList) -> Bool? {
        let last = Self.lastName(of: list.name)
        guard let now = folder.sighting(last)?.mark, now.inode == list.mark.inode else { return nil }
        guard now.size > list.mark.size, !folder.has(list.name) else { return true }
        do throws(FolderFailure) { try folder.move(last, to: list.name, in: folder) } catch { return true }
        return false
    }

    /// Puts a file aside that can't be added, with the reason beside it.
    func refuse(_ claim: Claim, because reason: String) throws(FolderFailure) {
        try folder.make(Self.failed, mode: 0o755, exists: true)
        let failed = try Folder(Self.failed, in: folder)
        try failed.write(reason + "\n", to: claim.name.appending(".reason.txt"))
        try release(claim, as: claim.name, in: failed)
    }

    private func release(_ claim: Claim, as name: EntryName, in target: Folder) throws(FolderFailure) {
        let hidden = try Folder(claim.folder, in: folder)
        try hidden.move(claim.name, to: name, in: target)
        remove(claim.folder, hidden)
    }
}
