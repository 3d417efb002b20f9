import CLinux
import Glibc
import JobCore

extension DocumentStore {
    /// Renames partials to their reserved names, then syncs both directories
    /// once for all of them: only after that is a document published.
    func publish(_ work: [Publishing]) -> [(JobID, StorageReport)] {
        var reports: [(JobID, StorageReport)] = []
        reports.reserveCapacity(work.count)
        var renamed: [Publishing] = []
        for item in work {
            switch rename(item.job, item.reservation) {
            case 0: renamed.append(item)
            case EEXIST: reports.append((item.job, .nameTaken(freeName: freeName(like: item.wantedName))))
            case let number: reports.append((item.job, Self.publishFailure(number)))
            }
        }
        guard !renamed.isEmpty else { return reports }
        let number = documents.sync()
        if number == 0 { _ = partials.sync() }
        for item in renamed {
            let (job, reservation) = (item.job, item.reservation)
            if number == 0 {
                reports.append((job, .published(path: documents.path + "/" + reservation.name)))
            } else {
                // The name may or may not survive a power cut: back to being a
                // partial, so that no document is ever claimed without being one.
                _ = CLinux_rename_noreplace(
                    documents.descriptor,
                    reservation.name,
                    partials.descriptor,
                    Self.partialName(job)
                )
                reports.append((job, Self.publishFailure(number)))
            }
        }
        return reports
    }

    /// Returns errno, 0 for success.
    ///
    /// A name that already holds this very file is a success.
    private func rename(_ job: JobID, _ reservation: Job.Reservation) -> CInt {
        let result = CLinux_rename_noreplace(
            partials.descriptor,
            Self.partialName(job),
            documents.descriptor,
            reservation.name
        )
        if result == 0 { return 0 }
        let number = errno
        return documents.file(reservation.name)?.inode == reservation.sealed.inode ? 0 : number
    }

    private static func publishFailure(_ number: CInt) -> StorageReport {
        let isFull = number == ENOSPC || number == EDQUOT
        return .publishFailed(
            JobFailure(
                isFull ? .diskFull : .storageError,
                "the file can't be moved into the documents directory: \(describe(number))"
            )
        )
    }
}

/// A partial that is to be renamed.
struct Publishing: Sendable {
    var job: JobID
    /// The name it has been given, and how to know the file.
    var reservation: Job.Reservation
    /// The name it should have had, to number anew where the given one is taken.
    var wantedName: String
}
