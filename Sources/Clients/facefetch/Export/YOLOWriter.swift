import ExportFormats

/// Pictures in YOLO's folders: links to the documents, or upright copies, and a label file for each.
final class YOLOWriter: PictureWriter {
    let coordinates: Coordinates
    private let folder: NewFolder
    private let pictures: LabelledPictures

    /// Fills a folder; `signals` can be read once a signal has come.
    init(_ folder: NewFolder, _ coordinates: Coordinates, isCopying: Bool, signals: Int32) throws {
        (self.folder, self.coordinates) = (folder, coordinates)
        pictures = LabelledPictures(
            pictures: PlacedPictures(in: folder, "images", isCopying: isCopying, signals: signals),
            labels: LabelFiles(in: folder, "labels", suffix: ".txt"),
            isCopying: isCopying
        )
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

    var isSlow: Bool { pictures.isCopying }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        try pictures.put(item.job, picture) { _ in YOLOFormat.labels(picture) }.reason
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
