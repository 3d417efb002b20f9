import ExportFormats
import Glibc
import Sidecars

/// Pictures in YOLO's folders: links to the documents, or copies of them, and a label file for each.
final class YOLOWriter: PictureWriter {
    let coordinates: Coordinates
    private let folder: NewFolder
    private let isCopying: Bool

    /// Fills a folder.
    init(_ folder: NewFolder, _ coordinates: Coordinates, isCopying: Bool) throws {
        (self.folder, self.coordinates, self.isCopying) = (folder, coordinates, isCopying)
        try folder.make("images")
        try folder.make("labels")
        for (name, bytes) in [
            ("data.yaml", YOLOFormat.dataFile(in: coordinates)), ("classes.txt", YOLOFormat.classesFile),
        ] {
            let file = try ByteFile(creating: folder.path + "/" + name, as: name)
            try file.add(bytes)
            try file.flush()
        }
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        let job = item.job
        let document: StoredDocument
        do throws(StoredDocument.Unusable) { document = try StoredDocument(job) } catch {
            return .sidecar(.document(error))
        }
        let (labels, stem) = try labelFile(job)
        try labels.add(YOLOFormat.labels(picture))
        try labels.flush()
        let image = folder.path + "/images/" + stem + YOLOFormat.suffix(job)
        if isCopying {
            let copy = try ByteFile(creating: image, as: job.name)
            guard try copy.copy(document.descriptor) == document.length else {
                throw ClientError.unsuccessful("\(job.name.safeForTerminal) was changed while it was copied.")
            }
            try copy.flush()
        } else if let path = job.path {
            guard symlink(path, image) == 0 else { throw ByteFile.failure(job.name, errno) }
        }
        return nil
    }

    /// A new label file, and its stem: the picture's own, where no picture before had the same, and both of
    /// its files can have it.
    private func labelFile(_ job: ExportedJob) throws -> (ByteFile, String) {
        let stem = YOLOFormat.split(job.name).stem
        let longest = max(".txt".utf8.count, YOLOFormat.suffix(job).utf8.count)
        for stem in [stem, "\(stem)-j\(job.id)", "j\(job.id)"]
        where stem.utf8.count + longest <= folder.longestName {
            let path = folder.path + "/labels/" + stem + ".txt"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (ByteFile(job.name, descriptor: descriptor), stem) }
            guard errno == EEXIST || errno == ENAMETOOLONG else { throw ByteFile.failure(job.name, errno) }
        }
        throw ByteFile.failure(job.name, EEXIST)
    }

    func finish() throws { try folder.finish() }
    func abandon() { folder.abandon() }
}
