import ControlAPI
import Digests
import ExportFormats
import Glibc
import Sidecars
import Vocabulary

/// Copies of documents in a bag.
///
/// Each is hashed while it is put there, so that what has changed since it was stored is left out. Hard links would
/// take no room, but change the documents: the time of a file's last change (ctime) is a new one with each link, by
/// which the daemon takes it for one that somebody else has changed, and never removes it to make room.
final class BagItWriter: ExportWriter {
    private let folder: NewFolder
    private let coordinates: Coordinates
    private let isRaw: Bool
    private let manifest: HashedFile
    private let table: HashedFile
    /// Folders that are there, as bytes of paths in the bag: texts that are the same to Swift may be two of them.
    private var folders: Set<[UInt8]> = []
    private var bytes: Int64 = 0
    private var files = 0
    private var hasEncodedPaths = false

    /// Fills a folder.
    init(_ folder: NewFolder, _ coordinates: Coordinates, isRaw: Bool) throws {
        (self.folder, self.coordinates, self.isRaw) = (folder, coordinates, isRaw)
        manifest = try HashedFile(BagItFormat.manifest, in: folder)
        table = try HashedFile(BagItFormat.table, in: folder)
        try folder.make(BagItFormat.payload)
        try table.add(CSVFormat.heading)
    }

    var isSlow: Bool { true }

    func write(_ item: ExportedPage.Item, of page: ExportedPage) throws -> LeftOut.Reason? {
        var job = item.job
        guard job.path != nil || job.detection != nil else { return nil }
        let document: StoredDocument
        do throws(StoredDocument.Unusable) { document = try StoredDocument(job) } catch {
            return .sidecar(.document(error))
        }
        guard let path = BagItFormat.path(job) else { return .noPlace }
        try makeFolders(of: path)
        let (inBag, sum) = try put(document, job, at: BagItFormat.payload + "/" + path)
        guard let sum else {
            unlink(folder.path + "/" + inBag)
            return .sidecar(.document(.changed))
        }
        hasEncodedPaths = hasEncodedPaths || BagItFormat.isEncoded(inBag)
        bytes += document.length
        files += 1
        try manifest.add(BagItFormat.line(sha256: sum, path: inBag))
        // Where it is for whoever has the bag.
        job.path = inBag
        var row: [UInt8] = []
        CSVFormat.write(job, in: coordinates, isRaw: isRaw, to: &row)
        try table.add(row)
        return nil
    }

    func finish() throws {
        var tags = try [(BagItFormat.manifest, manifest.finish()), (BagItFormat.table, table.finish())]
        for (name, text) in [
            (BagItFormat.declaration, BagItFormat.declarationText),
            (
                BagItFormat.description,
                BagItFormat.descriptionText(
                    agent: "facefetch \(ProductVersion.current)",
                    date: Self.today,
                    bytes: bytes,
                    files: files
                )
            ),
        ] {
            let file = try HashedFile(name, in: folder)
            try file.add(text)
            tags.append((name, try file.finish()))
        }
        let list = try HashedFile(BagItFormat.tagManifest, in: folder)
        for (name, sum) in tags { try list.add(BagItFormat.line(sha256: sum, path: name)) }
        _ = try list.finish()
        try folder.finish()
        if hasEncodedPaths {
            Output.note(
                "Names with a percent sign stand in the bag's manifest with %25, as RFC 8493 has it; bagit-python "
                    + "doesn't undo that, and takes these documents for missing."
            )
        }
    }

    func abandon() { folder.abandon() }

    /// The day, in the time of this machine.
    private static var today: String {
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        let (month, day) = (Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        return "\(Int(parts.tm_year) + 1900)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    private func makeFolders(of path: String) throws(ClientError) {
        var made = BagItFormat.payload
        for part in path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
            made += "/" + String(decoding: part, as: UTF8.self)
            guard folders.insert(Array(made.utf8)).inserted else { continue }
            guard mkdir(folder.path + "/" + made, 0o777) == 0 || errno == EEXIST else {
                throw ByteFile.failure(made, errno)
            }
        }
    }

    /// Puts a document into the bag; its path there, and its SHA-256, or nil if it was changed.
    private func put(
        _ document: StoredDocument,
        _ job: ExportedJob,
        at path: String
    ) throws -> (path: String, sha256: String?) {
        for path in [path, Self.marked(path, job), FilePath.folder(path) + "/\(JobID(job.id))"] {
            let target = folder.path + "/" + path
            let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if file < 0, errno == EEXIST || errno == ENAMETOOLONG { continue }
            guard file >= 0 else { throw ByteFile.failure(job.name, errno) }
            return (path, try ByteFile(job.name, descriptor: file).add(document, of: job))
        }
        throw ByteFile.failure(job.name, EEXIST)
    }

    /// A name that no other job has.
    private static func marked(_ path: String, _ job: ExportedJob) -> String {
        let (stem, suffix) = YOLOFormat.split(FilePath.name(path))
        return "\(FilePath.folder(path))/\(stem)-\(JobID(job.id))\(suffix)"
    }
}

/// A file of a bag that is hashed as it is written.
private final class HashedFile {
    private let file: ByteFile
    private var hash = SHA256()

    /// Begins a file of this name in a bag.
    init(_ name: String, in folder: NewFolder) throws {
        file = try ByteFile(creating: folder.path + "/" + name, as: name)
    }

    /// Adds text.
    func add(_ text: [UInt8]) throws {
        hash.update(data: text)
        try file.add(text)
    }

    /// Ends the file, and returns its SHA-256.
    func finish() throws -> String {
        try file.flush()
        return hash.finalize().hexText
    }
}
