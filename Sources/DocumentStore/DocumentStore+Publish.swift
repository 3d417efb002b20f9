import Crypto
import Glibc
import JobCore
import Vocabulary

extension DocumentStore {
    /// Moves partials to their reserved names, then syncs both directories once for all of them; only
    /// then are the documents published.
    ///
    /// What could not be, because somebody has taken the directories away, is to be done again.
    func publish(_ work: [Publishing]) -> (reports: [(JobID, StorageReport)], again: [Publishing]) {
        var reports: [(JobID, StorageReport)] = []
        reports.reserveCapacity(work.count)
        var moved: [Publishing] = []
        var again: [Publishing] = []
        for item in work {
            switch publish(item.job, item.reservation) {
            case 0:
                moved.append(item)
            case EEXIST:
                let name = freeName(like: item.wantedName, for: item.job)
                reports.append((item.job, .nameTaken(freeName: name)))
            case let number where isLost(number) && place.trouble != nil:
                again.append(item)
            case let number:
                let report = Self.publishFailure(number, "moved into", keepsPartial: number != EIO)
                reports.append((item.job, report))
            }
        }
        guard !moved.isEmpty else { return (reports, again) }
        let number = syncDirectories()
        // A document is found at the path that people are told, or isn't published.
        guard place.trouble == nil else {
            for item in moved { takeBack(item.job, from: item.reservation.name) }
            return (reports, again + moved)
        }
        for item in moved {
            let (job, reservation) = (item.job, item.reservation)
            if number == 0 {
                names.withLock { $0.release(job) }
                let mark = documents.file(reservation.name)
                reports.append((job, .published(path: documents.path + "/" + reservation.name, mark: mark)))
            } else {
                // The name may or may not survive a power cut, so the file becomes a partial again, and
                // no document is claimed without being one. A failed sync is final whatever a second one
                // would say, except for lack of space.
                takeBack(job, from: reservation.name)
                let isFull = number == ENOSPC || number == EDQUOT
                reports.append((job, Self.publishFailure(number, "synced in", keepsPartial: isFull)))
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
    func isWhatWasSealed(_ reservation: Job.Reservation, _ mark: FileMark) -> Bool {
        let sealed = reservation.sealed
        guard let sha256 = sealed.sha256, mark.length == sealed.length, mark.length <= Self.largestReadAgain
        else { return false }
        let file = openat(documents.descriptor, reservation.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, FileMark(status) == mark else { return false }
        var hash = SHA256()
        do {
            try PartialReader.read(file, from: 0, to: mark.length) { hash.update(bufferPointer: $0) }
        } catch { return false }
        return hash.finalize().hexText == sha256 && documents.file(reservation.name) == mark
    }

    /// Syncs the directory that files were moved to, and then the one they came from.
    ///
    /// Returns the errno, 0 for success.
    func syncDirectories() -> CInt {
        let number = documents.sync()
        return number == 0 ? partials.sync() : number
    }

    /// Turns a document whose new name may not last back into a partial, or removes it if that fails.
    func takeBack(_ job: JobID, from name: String) {
        let number = move.moveBack(name, in: documents, to: Self.partialName(job), in: partials)
        if number != 0 { _ = unlinkat(documents.descriptor, name, 0) }
    }

    /// Moves a partial to its reserved name; returns the errno, 0 for success.
    ///
    /// A name that already belongs to this very file is a success: a file server may have done what was
    /// asked although its answer was lost.
    func publish(_ job: JobID, _ reservation: Job.Reservation) -> CInt {
        let number = move.move(Self.partialName(job), in: partials, to: reservation.name, in: documents)
        let inode = reservation.sealed.inode
        guard number != 0, documents.file(reservation.name)?.inode == inode else { return number }
        return dropPartial(of: job, ifInode: inode) ? 0 : number
    }

    /// Removes what is left of a partial that has become a document; returns whether nothing is.
    func dropPartial(of job: JobID, ifInode inode: UInt64) -> Bool {
        let name = Self.partialName(job)
        guard partials.file(name)?.inode == inode else { return true }
        return unlinkat(partials.descriptor, name, 0) == 0 || errno == ENOENT
    }

    private static func publishFailure(
        _ number: CInt,
        _ verb: String,
        keepsPartial: Bool
    ) -> StorageReport {
        let failure = fileFailure(number, "the file can't be \(verb) the documents directory")
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
}
