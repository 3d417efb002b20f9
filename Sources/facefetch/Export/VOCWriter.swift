import ExportFormats
import Sidecars

/// Pictures in Pascal VOC's folders: links to the documents, or upright copies, and an annotation for each.
final class VOCWriter: PictureWriter {
    let coordinates: Coordinates
    private let folder: NewFolder
    private let isCopying: Bool
    private let pictures: PlacedPictures
    private let annotations: LabelFiles
    private let list: ByteFile

    /// Fills a folder; `signals` can be read once a signal has come.
    init(_ folder: NewFolder, _ coordinates: Coordinates, isCopying: Bool, signals: Int32) throws {
        (self.folder, self.coordinates, self.isCopying) = (folder, coordinates, isCopying)
        pictures = PlacedPictures(in: folder, VOCFormat.pictures, isCopying: isCopying, signals: signals)
        annotations = LabelFiles(
            in: folder,
            VOCFormat.annotations,
            suffix: ".xml",
            stemsAreWords: true
        )
        for name in [VOCFormat.pictures, VOCFormat.annotations] + VOCFormat.sets { try folder.make(name) }
        list = try ByteFile(creating: folder.path + "/" + VOCFormat.list, as: VOCFormat.list)
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
        let (file, stem) = try annotations.make(job)
        let outcome = try pictures.put(
            job,
            picture,
            document,
            as: stem,
            suffix: YOLOFormat.suffix(job),
            isRemade: isCopying && PlacedPictures.needsPixels(job, picture)
        )
        guard case .placed(let name) = outcome else {
            annotations.remove(stem)
            if case .leftOut(let reason) = outcome { return reason }
            return nil
        }
        try file.add(VOCFormat.annotation(job, picture, file: name))
        try file.flush()
        try list.add(VOCFormat.line(stem: stem))
        return nil
    }

    func finish() throws {
        try pictures.finish()
        try list.flush()
        try folder.finish()
    }

    func abandon() {
        pictures.abandon()
        folder.abandon()
    }
}
