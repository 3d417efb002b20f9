import CLinux
import Digests
import Glibc
import JobModel
import SmallFiles
import Vocabulary

extension DocumentStore {
    /// Writes bodies from memory and makes documents of them, syncing what they share once for all.
    ///
    /// Each is written to its partial, synced and hashed. Where all of them are to go is written down and
    /// synced (``MoveJournal``), and only then they are moved there: from then on a crash can't leave a
    /// document that belongs to nobody.
    ///
    /// What could not be stored, because somebody has taken the directories away, is to be stored again; what may
    /// not be written now is held.
    func store(
        _ work: [Storing]
    ) -> (reports: [(JobID, StorageReport)], again: [Storing], held: [Storing]) {
        guard !work.isEmpty else { return ([], [], []) }
        var reports: [(JobID, StorageReport)] = []
        var written: [Publishing] = []
        // Files stay open where that takes no descriptors from others: reading the mark of an open file costs
        // less than reading that of a name.
        var files: [JobID: CInt] = [:]
        defer { for file in files.values { close(file) } }
        var held: [Storing] = []
        // All are written before the first is synced, so that one sync of the file system's own records serves many.
        var begun: [(item: Storing, file: CInt, sha256: String)] = []
        func finish(_ item: Storing, _ file: CInt, _ sha256: String) {
            var result: Result<SealedPartial, PartialReader.Failure>?
            guard mayWrite({ result = sync(item, file, sha256) }), let result else {
                drop(item, file)
                return held.append(item)
            }
            switch result {
            case .success(let sealed):
                if Int(file) < descriptorCeiling() { files[item.job] = file } else { close(file) }
                // The directory isn't asked: the move tells whether there is a file with this name.
                let folder = item.wantedName.layout.folder(sha256: sealed.sha256)
                let name = names.withLock { names in
                    names.claim(item.wantedName.name, in: folder, for: item.job, isTaken: { _ in false })
                }
                let reservation = Job.Reservation(name: name, folder: folder, sealed: sealed)
                written.append(
                    Publishing(
                        job: item.job,
                        reservation: reservation,
                        wantedName: item.wantedName.name,
                        validator: item.validator,
                        response: item.traits.response
                    )
                )
            case .failure(let error):
                drop(item, file)
                reports.append((item.job, failure(error.number, "written", item.job)))
            }
        }
        for item in work {
            var result: Result<CInt, PartialReader.Failure>?
            guard mayWrite({ result = write(item) }), let result else {
                held.append(item)
                continue
            }
            switch result {
            case .success(let file):
                let sha256 = SHA256.hash(data: item.body.bytes).hexText
                if Int(file) < descriptorCeiling() {
                    begun.append((item, file, sha256))
                } else {
                    finish(item, file, sha256)
                }
            case .failure(let error): reports.append((item.job, failure(error.number, "written", item.job)))
            }
        }
        for (item, file, sha256) in begun { finish(item, file, sha256) }
        let folders = OpenFolders(in: documents, durable)
        let moved = move(written, folders, &reports)
        let synced = moved.isEmpty ? [] : sync(moved.map(\.reservation), folders)
        // A document is found at the path that people are told, or isn't published.
        guard place.trouble == nil else {
            for item in moved {
                takeBack(item.job, item.reservation, folders)
                moves.confirm([item.job])
            }
            let others = reports.filter { $0.1.lossNumber == nil }
            let done = Set(others.map(\.0))
            let isHeld = Set(held.map(\.job))
            return (others, work.filter { !done.contains($0.job) && !isHeld.contains($0.job) }, held)
        }
        for (item, (number, mark)) in zip(moved, synced) {
            let (job, reservation) = (item.job, item.reservation)
            guard number == 0 else {
                takeBack(job, reservation, folders)
                moves.confirm([job])
                reports.append(
                    (job, failure(number, "synced in the documents directory", job, reservation.folder))
                )
                continue
            }
            names.withLock { $0.release(job) }
            let report = StorageReport.stored(
                reservation,
                partialPath: partialPath(of: job),
                path: documents.path + "/" + reservation.path,
                mark: mark ?? files[job].map(Self.mark) ?? documents.file(reservation.path)
            )
            reports.append((job, report))
        }
        return (reports, [], held)
    }

    /// Returns the bodies that became documents in the last run, and that nobody has confirmed.
    ///
    /// Only a file that has not been written to since is one of them.
    public func unconfirmedDocuments() -> [JobID: UnconfirmedDocument] {
        let folders = OpenFolders(in: documents, durable)
        let there = moves.unconfirmed.filter { _, document in
            let reservation = document.reservation
            let folder = folders.existing(reservation.folder)
            return folder?.file(reservation.name)?.isOf(reservation.sealed) == true
        }
        moves.confirm(moves.unconfirmed.keys.filter { there[$0] == nil })
        return there
    }

    /// Moves partials to their names, and to others where those have been taken meanwhile.
    private func move(
        _ written: [Publishing],
        _ folders: OpenFolders,
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
                switch publish(item.job, item.reservation, folders) {
                case 0: moved.append(item)
                case EEXIST:
                    item.reservation.name = freeName(
                        like: item.wantedName,
                        in: item.reservation.folder,
                        for: item.job
                    )
                    taken.append(item)
                case let number:
                    let folder = item.reservation.folder
                    folders.prune(folder)
                    moves.confirm([item.job])
                    reports.append(
                        (item.job, failure(number, "moved into the documents directory", item.job, folder))
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

    /// Writes one body to its partial, and has the disk begin with it; the file stays open.
    private func write(_ item: Storing) -> Result<CInt, PartialReader.Failure> {
        let file = openNew(Self.partialName(item.job))
        guard file >= 0 else { return .failure(.init(number: errno)) }
        do throws(FileFailure) { try WholeFile.write(item.body.bytes, to: file) } catch {
            drop(item, file)
            return .failure(.init(number: error.number))
        }
        // Before it is synced, so that the time lasts as long as the content.
        if let modified = item.traits.modified { Self.setTime(modified, of: file) }
        _ = CLinux_begin_writing(file, 0, 0)
        return .success(file)
    }

    /// Syncs a body that was written to its partial.
    private func sync(
        _ item: Storing,
        _ file: CInt,
        _ sha256: String
    ) -> Result<SealedPartial, PartialReader.Failure> {
        var status = stat()
        guard fsync(file) == 0, fstat(file, &status) == 0 else { return .failure(.init(number: errno)) }
        let mark = FileMark(status)
        return .success(
            SealedPartial(inode: mark.inode, length: mark.length, sha256: sha256, modified: mark.modified)
        )
    }

    /// Removes the partial of a body that can't be stored, or not now.
    private func drop(_ item: Storing, _ file: CInt) {
        close(file)
        _ = unlinkat(partials.descriptor, Self.partialName(item.job), 0)
    }

    /// Returns the report for a body that could not be stored, of which nothing is kept.
    private func failure(
        _ number: CInt,
        _ verb: String,
        _ job: JobID,
        _ folder: DocumentFolder = DocumentFolder()
    ) -> StorageReport {
        names.withLock { $0.abandon(job) }
        let failure =
            OpenFolders.failure(number, of: folder) ?? fileFailure(number, "the file can't be \(verb)")
        return .publishFailed(failure, keepsPartial: false, errorNumber: number)
    }
}

/// A body from memory to be stored.
struct Storing: Sendable {
    var job: JobID
    var body: BufferedBody
    var validator: Validator?
    var wantedName: WantedName
    var traits: DocumentTraits
}
