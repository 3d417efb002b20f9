import ExportFormats
import Sidecars

/// Pictures in a folder that Hugging Face's datasets read: links to the documents, or copies.
///
/// That library turns pictures upright itself. What it can't decode is copied in a format that it can.
final class ImageFolderWriter: PictureWriter {
    let coordinates = Coordinates.upright
    private let folder: NewFolder
    private let pictures: PlacedPictures
    private let list: ByteFile

    /// Fills a folder; `signals` can be read once a signal has come.
    init(_ folder: NewFolder, isCopying: Bool, signals: Int32) throws {
        self.folder = folder
        try folder.make(ImageFolderFormat.folder)
        pictures = PlacedPictures(
            in: folder,
            ImageFolderFormat.folder,
            isCopying: isCopying,
            signals: signals
        )
        list = try ByteFile(creating: folder.path + "/" + ImageFolderFormat.list, as: ImageFolderFormat.list)
    }

    var isSlow: Bool { true }

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
        let (stem, suffix) = YOLOFormat.split(ImageFolderFormat.name(job))
        let outcome = try pictures.put(
            job,
            picture,
            document,
            as: stem,
            suffix: suffix,
            isRemade: ImageFolderFormat.needsCopy(job)
        )
        switch outcome {
        case .leftOut(let reason): return reason
        case .interrupted: return nil
        case .placed(let name):
            try list.add { ImageFolderFormat.write(job, picture, file: name, to: &$0) }
            return nil
        }
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
