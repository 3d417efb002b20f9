import Digests
import Glibc
import JobModel
import Vocabulary

extension DocumentStore {
    /// Moves partials to their reserved names, then syncs all directories once for all of them; only
    /// then are the documents published.
    ///
    /// What could not be, because somebody has taken the directories away, is to be done again.
    func publish(_ work: [Publishing]) -> (reports: [(JobID, StorageReport)], again: [Publishing]) {
        var reports: [(JobID, StorageReport)] = []
        reports.reserveCapacity(work.count)
        var moved: [Publishing] = []
        var again: [Publishing] = []
        let folders = OpenFolders(in: documents, durable)
        for item in work {
            switch publish(item.job, item.reservation, folders) {
            case 0:
                moved.append(item)
            case EEXIST:
                let folder = item.reservation.folder
                let name = freeName(like: item.wantedName, in: folder, for: item.job)
                reports.append((item.job, .nameTaken(freeName: name)))
            case let number where isLost(number) && place.trouble != nil:
                again.append(item)
            case let number:
                folders.prune(item.reservation.folder)
                let report = Self.publishFailure(
                    number,
                    "moved into",
                    item.reservation,
                    keepsPartial: number != EIO
                )
                reports.append((item.job, report))
            }
        }
        guard !moved.isEmpty else { return (reports, again) }
        let synced = sync(moved.map(\.reservation), folders)
        // A document is found at the path that people are told, or isn't published.
        guard place.trouble == nil else {
            for item in moved { takeBack(item.job, item.reservation, folders) }
            return (reports, again + moved)
        }
        for (item, (number, mark)) in zip(moved, synced) {
            let (job, reservation) = (item.job, item.reservation)
            if number == 0 {
                names.withLock { $0.release(job) }
                let mark = mark ?? folders.existing(reservation.folder)?.file(reservation.name)
                reports.append((job, .published(path: documents.path + "/" + reservation.path, mark: mark)))
            } else {
                // The name may or may not survive a power cut, so the file becomes a partial again, and
                // no document is claimed without being one. A failed sync is final whatever a second one
                // would say, except for lack of space.
                takeBack(job, reservation, folders)
                let keepsPartial = number == ENOSPC || number == EDQUOT || isLost(number)
                let report = Self.publishFailure(number, "synced in", reservation, keepsPartial: keepsPartial)
                reports.append((job, report))
            }
        }
        return (reports, again)
    }

    /// The largest document that is read again to tell whether it is what was sealed.
    private static let largestReadAgain: Int64 = 64 << 20

    /// Returns whether a document that was published just before a crash is what was sealed, by its content.
    ///
    /// Nobody knows since when it has had its name, so its times say nothing. A large one takes too long to
    /// read when the daemon starts, and is taken for one that isn't known.
    func isWhatWasSealed(_ reservation: Job.Reservation, _ mark: FileMark, in folder: Directory) -> Bool {
        let sealed = reservation.sealed
        guard let sha256 = sealed.sha256, mark.length == sealed.length, mark.length <= Self.largestReadAgain
        else { return false }
        let file = openat(folder.descriptor, reservation.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, FileMark(status) == mark else { return false }
        var hash = SHA256()
        do {
            try PartialReader.read(file, from: 0, to: mark.length) { hash.update(bufferPointer: $0) }
        } catch { return false }
        return hash.finalize().hexText == sha256 && folder.file(reservation.name) == mark
    }

    /// Syncs the folders that files were moved to, each once, and then the directory they came from.
    ///
    /// Returns the errno for each file, 0 for success: also where somebody has moved its folder away meanwhile, so
    /// that nobody would find it. With a success in a folder comes the file's mark, which that took.
    func sync(_ moved: [Job.Reservation], _ folders: OpenFolders) -> [(number: CInt, mark: FileMark?)] {
        var synced: [DocumentFolder: CInt] = [:]
        for folder in Set(moved.map(\.folder)) {
            synced[folder] = folders.existing(folder)?.sync() ?? ENOENT
        }
        let source = partials.sync()
        return moved.map { reservation in
            if let number = synced[reservation.folder], number != 0 { return (number, nil) }
            guard source == 0, !reservation.folder.isTop else { return (source, nil) }
            let mark = documents.file(reservation.path)
            return mark?.inode == reservation.sealed.inode ? (0, mark) : (ENOENT, nil)
        }
    }

    /// Turns a document whose new name may not last back into a partial, or removes it if that fails.
    func takeBack(_ job: JobID, _ reservation: Job.Reservation, _ folders: OpenFolders) {
        guard let folder = folders.existing(reservation.folder),
            folder.file(reservation.name)?.inode == reservation.sealed.inode
        else { return }
        let number = move.moveBack(reservation.name, in: folder, to: Self.partialName(job), in: partials)
        if number != 0 { _ = unlinkat(folder.descriptor, reservation.name, 0) }
        folders.prune(reservation.folder)
    }

    /// Moves a partial to its reserved name, and makes the folder first; returns the errno, 0 for success.
    ///
    /// A name that already belongs to this very file is a success: a file server may have done what was
    /// asked although its answer was lost. A folder that is removed at this moment, empty as it is, is made again.
    func publish(_ job: JobID, _ reservation: Job.Reservation, _ folders: OpenFolders) -> CInt {
        var tries = 0
        while true {
            tries += 1
            let number = publishOnce(job, reservation, folders)
            guard isLost(number), !reservation.folder.isTop, tries < Self.mostTries,
                partials.holds(Self.partialName(job))
            else { return number }
            folders.forget(reservation.folder)
        }
    }

    private func publishOnce(_ job: JobID, _ reservation: Job.Reservation, _ folders: OpenFolders) -> CInt {
        let folder: Directory
        do throws(OpenFolders.Failure) { folder = try folders.making(reservation.folder) } catch {
            return error.number
        }
        let number = move.move(Self.partialName(job), in: partials, to: reservation.name, in: folder)
        let inode = reservation.sealed.inode
        guard number != 0, folder.file(reservation.name)?.inode == inode else { return number }
        return dropPartial(of: job, ifInode: inode) ? 0 : number
    }

    /// The number of times that a folder is made before a move into it has failed.
    private static let mostTries = 20

    /// Removes what is left of a partial that has become a document; returns whether nothing is.
    func dropPartial(of job: JobID, ifInode inode: UInt64) -> Bool {
        let name = Self.partialName(job)
        guard partials.file(name)?.inode == inode else { return true }
        return unlinkat(partials.descriptor, name, 0) == 0 || errno == ENOENT
    }

    private static func publishFailure(
        _ number: CInt,
        _ verb: String,
        _ reservation: Job.Reservation,
        keepsPartial: Bool
    ) -> StorageReport {
        let failure =
            OpenFolders.failure(number, of: reservation.folder)
            ?? fileFailure(number, "the file can't be \(verb) the documents directory")
        return .publishFailed(failure, keepsPartial: keepsPartial, errorNumber: number)
    }
}

/// A partial to be published.
struct Publishing: Sendable {
    var job: JobID
    /// The reserved name, with what identifies the file.
    var reservation: Job.Reservation
    /// The name originally wanted, to be numbered again if the reserved one is taken.
    var wantedName: String
    /// The version of the server's file that a body from memory is; partials don't need it.
    var validator: Validator?
    /// The server's statements about such a body.
    var response: ServerResponse?
}
