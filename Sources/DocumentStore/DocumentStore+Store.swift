import Crypto
import Glibc
import JobCore

extension DocumentStore {
    /// Writes bodies from memory and makes documents of them, syncing what they share once for all.
    ///
    /// Each is written to its partial, synced and hashed. Where all of them are to go is written down and
    /// synced (``MoveJournal``), and only then they are moved there: from then on a crash can't leave a
    /// document that belongs to nobody.
    func store(_ work: [Storing]) -> [(JobID, StorageReport)] {
        guard !work.isEmpty else { return [] }
        var reports: [(JobID, StorageReport)] = []
        var written: [Publishing] = []
        // They stay open, since an open file's mark is had for less than that of a name.
        var files: [JobID: CInt] = [:]
        defer { for file in files.values { close(file) } }
        for item in work {
            switch write(item) {
            case .success(let (sealed, file)):
                files[item.job] = file
                // The directory isn't asked: the move tells whether there is a file with this name.
                let name = names.withLock { names in
                    names.claim(item.wantedName, for: item.job, isTaken: { _ in false })
                }
                let reservation = Job.Reservation(name: name, sealed: sealed)
                written.append(
                    Publishing(
                        job: item.job,
                        reservation: reservation,
                        wantedName: item.wantedName,
                        validator: item.validator
                    )
                )
            case .failure(let error): reports.append((item.job, failure(error.number, "written", item.job)))
            }
        }
        let moved = move(written, &reports)
        guard !moved.isEmpty else { return reports }
        let number = syncDirectories()
        for item in moved {
            let (job, reservation) = (item.job, item.reservation)
            guard number == 0 else {
                takeBack(job, from: reservation.name)
                moves.confirm([job])
                reports.append((job, failure(number, "synced in the documents directory", job)))
                continue
            }
            names.withLock { $0.release(job) }
            let report = StorageReport.stored(
                reservation,
                partialPath: partialPath(of: job),
                path: documents.path + "/" + reservation.name,
                mark: files[job].flatMap(Self.mark)
            )
            reports.append((job, report))
        }
        return reports
    }

    /// Returns the bodies that became documents in the last run, and that nobody has confirmed.
    ///
    /// Only a file that has not been written to since is one of them.
    public func unconfirmedDocuments() -> [JobID: UnconfirmedDocument] {
        let there = moves.unconfirmed.filter { _, document in
            let reservation = document.reservation
            return documents.file(reservation.name)?.isOf(reservation.sealed) == true
        }
        moves.confirm(moves.unconfirmed.keys.filter { there[$0] == nil })
        return there
    }

    /// Moves partials to their names, and to others where those have been taken meanwhile.
    private func move(
        _ written: [Publishing],
        _ reports: inout [(JobID, StorageReport)]
    ) -> [Publishing] {
        var moved: [Publishing] = []
        var left = written
        while !left.isEmpty {
            let number = moves.note(left)
            guard number == 0 else {
                for item in left {
                    reports.append(
                        (item.job, failure(number, "moved into the documents directory", item.job))
                    )
                }
                return moved
            }
            var taken: [Publishing] = []
            for var item in left {
                switch publish(item.job, item.reservation) {
                case 0: moved.append(item)
                case EEXIST:
                    item.reservation.name = freeName(like: item.wantedName, for: item.job)
                    taken.append(item)
                case let number:
                    moves.confirm([item.job])
                    reports.append(
                        (item.job, failure(number, "moved into the documents directory", item.job))
                    )
                }
            }
            left = taken
        }
        return moved
    }

    private static func mark(of file: CInt) -> FileMark? {
        var status = stat()
        return fstat(file, &status) == 0 ? FileMark(status) : nil
    }

    /// Opens the partial for a body, which is a new file.
    private func openNew(_ name: String) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = openat(partials.descriptor, name, flags, 0o644)
        guard file < 0, errno == EEXIST else { return file }
        // There is none of a job whose first attempt this is, unless a crash has left it.
        _ = unlinkat(partials.descriptor, name, 0)
        return openat(partials.descriptor, name, flags, 0o644)
    }

    /// Writes one body to its partial, syncs and hashes it; the file stays open.
    private func write(_ item: Storing) -> Result<(SealedPartial, CInt), PartialReader.Failure> {
        let name = Self.partialName(item.job)
        let file = openNew(name)
        guard file >= 0 else { return .failure(.init(number: errno)) }
        let isWritten = item.body.bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while let base = rest.baseAddress, !rest.isEmpty {
                let count = Glibc.write(file, base, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
        var status = stat()
        guard isWritten, fsync(file) == 0, fstat(file, &status) == 0 else {
            let number = errno
            close(file)
            _ = unlinkat(partials.descriptor, name, 0)
            return .failure(.init(number: number))
        }
        let mark = FileMark(status)
        let sealed = SealedPartial(
            inode: mark.inode,
            length: mark.length,
            sha256: SHA256.hash(data: item.body.bytes).hexText,
            modified: mark.modified
        )
        return .success((sealed, file))
    }

    /// Returns the report for a body that could not be stored, of which nothing is kept.
    private func failure(_ number: CInt, _ verb: String, _ job: JobID) -> StorageReport {
        names.withLock { $0.abandon(job) }
        let failure = fileFailure(number, "the file can't be \(verb)")
        return .publishFailed(failure, keepsPartial: false, errorNumber: number)
    }
}

/// A body from memory to be stored.
struct Storing: Sendable {
    var job: JobID
    var body: BufferedBody
    var validator: Validator?
    var wantedName: String
}
