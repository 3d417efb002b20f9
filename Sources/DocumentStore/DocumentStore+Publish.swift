import CLinux
import Foundation
import Glibc
import JobCore

extension DocumentStore {
    /// Renames partials to their reserved names, then syncs both directories
    /// once for all of them: only after that is a document published.
    func publish(_ work: [(JobID, Job.Reservation)]) -> [(JobID, StorageReport)] {
        var reports: [(JobID, StorageReport)] = []
        reports.reserveCapacity(work.count)
        var renamed: [(JobID, Job.Reservation)] = []
        for (job, reservation) in work {
            switch rename(job, reservation) {
            case 0: renamed.append((job, reservation))
            case EEXIST:
                reports.append((job, .nameTaken(freeName: freeName(like: Self.unnumbered(reservation.name)))))
            case let number: reports.append((job, Self.publishFailure(number)))
            }
        }
        guard !renamed.isEmpty else { return reports }
        let number = documents.sync()
        if number == 0 { _ = partials.sync() }
        for (job, reservation) in renamed {
            if number == 0 {
                reports.append((job, .published(path: documents.path + "/" + reservation.name)))
            } else {
                // The name may or may not survive a power cut: back to being a
                // partial, so that no document is ever claimed without being one.
                _ = CLinux_rename_noreplace(
                    documents.descriptor, reservation.name, partials.descriptor, Self.partialName(job))
                reports.append((job, Self.publishFailure(number)))
            }
        }
        return reports
    }

    /// Returns errno, 0 for success. A name that already holds this very file is a success.
    private func rename(_ job: JobID, _ reservation: Job.Reservation) -> CInt {
        let result = CLinux_rename_noreplace(
            partials.descriptor, Self.partialName(job), documents.descriptor, reservation.name)
        if result == 0 { return 0 }
        let number = errno
        return documents.file(reservation.name)?.inode == reservation.sealed.inode ? 0 : number
    }

    /// `name (2).jpg` came from `name.jpg`: the next to try is (3), not (2) (2).
    private static func unnumbered(_ name: String) -> String {
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        guard stem.hasSuffix(")"), let open = stem.range(of: " (", options: .backwards),
            Int(stem[open.upperBound...].dropLast()) != nil
        else { return name }
        return String(stem[..<open.lowerBound]) + name[stem.endIndex...]
    }

    private static func publishFailure(_ number: CInt) -> StorageReport {
        let isFull = number == ENOSPC || number == EDQUOT
        return .publishFailed(
            JobFailure(
                isFull ? .diskFull : .storageError,
                "the file can't be moved into the documents directory: \(describe(number))"))
    }
}
