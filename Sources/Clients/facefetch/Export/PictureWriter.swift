import ExportFormats

/// A writer of pictures: of all jobs those whose faces were counted.
protocol PictureWriter: ExportWriter {
    /// The frame of reference of coordinates.
    var coordinates: Coordinates { get }
    /// The same where it depends on the picture.
    func coordinates(of job: ExportedJob) -> Coordinates
    /// Writes a picture, and says why it is left out, if it is.
    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason?
}

extension PictureWriter {
    func coordinates(of job: ExportedJob) -> Coordinates { coordinates }

    func write(_ item: ExportedPage.Item, of page: ExportedPage) throws -> LeftOut.Reason? {
        guard item.job.detection?.isCounted == true else { return nil }
        guard let picture = item.job.picture(in: coordinates(of: item.job)) else { return .sidecar(.noSize) }
        return try write(picture, item, of: page)
    }
}

/// Pictures in a list, one after the other.
final class PictureListWriter: PictureWriter {
    /// Adds a picture to the text.
    typealias Format = (ExportedJob, ExportedPicture, inout [UInt8]) -> Void

    let coordinates: Coordinates
    private let file: NewFile
    private let format: Format

    /// A list of this format.
    init(_ file: NewFile, _ coordinates: Coordinates, _ format: @escaping Format) {
        (self.file, self.coordinates, self.format) = (file, coordinates, format)
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        try file.bytes.add { format(item.job, picture, &$0) }
        return nil
    }

    func finish() throws { try file.finish() }
    func abandon() { file.abandon() }
}

/// Pictures for img2dataset, with the coordinates that its reader understands unless others are asked for.
final class Img2DatasetWriter: PictureWriter {
    let coordinates: Coordinates
    private let isChosen: Bool
    private let file: NewFile

    /// A list for a file.
    init(_ file: NewFile, _ chosen: Coordinates?) {
        self.file = file
        coordinates = chosen ?? .stored
        isChosen = chosen != nil
    }

    func coordinates(of job: ExportedJob) -> Coordinates {
        isChosen ? coordinates : Img2DatasetFormat.coordinates(of: job)
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        try file.bytes.add { Img2DatasetFormat.write(item.job, picture, to: &$0) }
        return nil
    }

    func finish() throws { try file.finish() }
    func abandon() { file.abandon() }
}

/// Pictures as tasks of Label Studio.
final class LabelStudioWriter: PictureWriter {
    let coordinates: Coordinates
    private let file: NewFile
    private var format: LabelStudioFormat

    /// Tasks for a file.
    init(_ file: NewFile, _ coordinates: Coordinates) throws {
        (self.file, self.coordinates) = (file, coordinates)
        format = LabelStudioFormat(in: coordinates)
        try file.bytes.add(format.opening)
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        try file.bytes.add { format.write(item.job, picture, to: &$0) }
        return nil
    }

    func finish() throws {
        try file.bytes.add(format.closing)
        try file.finish()
    }

    func abandon() { file.abandon() }
}

/// Pictures as COCO's annotations: the boxes wait in a file without a name until the images are over.
final class COCOWriter: PictureWriter {
    let coordinates: Coordinates
    private let file: NewFile
    private let boxes: ByteFile
    private var format: COCOFormat

    /// Annotations for a file.
    init(_ file: NewFile, _ coordinates: Coordinates) throws {
        (self.file, self.coordinates) = (file, coordinates)
        boxes = try file.scratch()
        format = COCOFormat(in: coordinates)
        try file.bytes.add(format.opening)
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        try file.bytes.add { images in
            try boxes.add { format.write(item.job, picture, images: &images, annotations: &$0) }
        }
        return nil
    }

    func finish() throws {
        try file.bytes.add(format.middle)
        try boxes.rewind()
        _ = try file.bytes.copy(boxes.descriptor)
        try file.bytes.add(format.closing)
        try file.finish()
    }

    func abandon() { file.abandon() }
}
