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
            let file = try ByteFile(creating: folder.path + "/" + name)
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
        let image = folder.path + "/images/" + stem + YOLOFormat.split(job.name).suffix
        if isCopying {
            let copy = try ByteFile(creating: image)
            guard try copy.copy(document.descriptor) == document.length else {
                throw ClientError.unsuccessful("\(job.name.safeForTerminal) was changed while it was copied.")
            }
            try copy.flush()
        } else if let path = job.path {
            guard symlink(path, image) == 0 else { throw ByteFile.failure(image, errno) }
        }
        return nil
    }

    /// A new label file, and its stem: the picture's own, where no picture before had the same.
    private func labelFile(_ job: ExportedJob) throws -> (ByteFile, String) {
        let stem = YOLOFormat.split(job.name).stem
        for stem in [stem, "\(stem)-j\(job.id)", "j\(job.id)"] {
            let path = folder.path + "/labels/" + stem + ".txt"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (ByteFile(path, descriptor: descriptor), stem) }
            guard errno == EEXIST || errno == ENAMETOOLONG else { throw ByteFile.failure(path, errno) }
        }
        throw ByteFile.failure(folder.path, EEXIST)
    }

    func finish() throws { try folder.finish() }
    func abandon() { folder.abandon() }
}
