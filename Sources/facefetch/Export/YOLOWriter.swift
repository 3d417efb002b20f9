import ExportFormats
import Sidecars

/// Pictures in YOLO's folders: links to the documents, or upright copies, and a label file for each.
final class YOLOWriter: PictureWriter {
    let coordinates: Coordinates
    private let folder: NewFolder
    private let isCopying: Bool
    private let pictures: PlacedPictures
    private let labels: LabelFiles

    /// Fills a folder; `signals` can be read once a signal has come.
    init(_ folder: NewFolder, _ coordinates: Coordinates, isCopying: Bool, signals: Int32) throws {
        (self.folder, self.coordinates, self.isCopying) = (folder, coordinates, isCopying)
        pictures = PlacedPictures(in: folder, "images", isCopying: isCopying, signals: signals)
        labels = LabelFiles(in: folder, "labels", suffix: ".txt")
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

    var isSlow: Bool { isCopying }

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
        let (file, stem) = try labels.make(job)
        let outcome = try pictures.put(
            job,
            picture,
            document,
            as: stem,
            suffix: YOLOFormat.suffix(job),
            isRemade: isCopying && PlacedPictures.needsPixels(job, picture)
        )
        guard case .placed = outcome else {
            labels.remove(stem)
            if case .leftOut(let reason) = outcome { return reason }
            return nil
        }
        try file.add(YOLOFormat.labels(picture))
        try file.flush()
        return nil
    }

    func finish() throws {
        try pictures.finish()
        try folder.finish()
    }

    func abandon() {
        pictures.abandon()
        folder.abandon()
    }
}
