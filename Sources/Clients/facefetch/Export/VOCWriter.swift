import ExportFormats

/// Pictures in Pascal VOC's folders: links to the documents, or upright copies, and an annotation for each.
final class VOCWriter: PictureWriter {
    let coordinates: Coordinates
    private let folder: NewFolder
    private let pictures: LabelledPictures
    private let list: ByteFile

    /// Fills a folder; `signals` can be read once a signal has come.
    init(_ folder: NewFolder, _ coordinates: Coordinates, isCopying: Bool, signals: Int32) throws {
        (self.folder, self.coordinates) = (folder, coordinates)
        pictures = LabelledPictures(
            pictures: PlacedPictures(in: folder, VOCFormat.pictures, isCopying: isCopying, signals: signals),
            labels: LabelFiles(in: folder, VOCFormat.annotations, suffix: ".xml", stemsAreWords: true),
            isCopying: isCopying
        )
        for name in [VOCFormat.pictures, VOCFormat.annotations] + VOCFormat.sets { try folder.make(name) }
        list = try ByteFile(creating: folder.path + "/" + VOCFormat.list, as: VOCFormat.list)
    }

    var isSlow: Bool { pictures.isCopying }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        let (stem, reason) = try pictures.put(item.job, picture) { name in
            VOCFormat.annotation(item.job, picture, file: name)
        }
        if let stem { try list.add(VOCFormat.line(stem: stem)) }
        return reason
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
