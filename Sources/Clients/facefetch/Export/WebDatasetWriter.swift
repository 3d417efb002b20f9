import ExportFormats
import Sidecars

/// Pictures with their JSON in tar archives, so many in each.
final class WebDatasetWriter: PictureWriter {
    /// The most pictures that an archive has; img2dataset's number.
    static let maximumCount = 10_000
    /// The number of bytes that an archive has before the next begins.
    static let maximumLength: Int64 = 4 << 30

    let coordinates: Coordinates
    private let folder: NewFolder
    private var shard: ByteFile?
    private var count = 0
    private var shards = 0

    /// Fills a folder.
    init(_ folder: NewFolder, _ coordinates: Coordinates) throws {
        (self.folder, self.coordinates) = (folder, coordinates)
    }

    func write(
        _ picture: ExportedPicture,
        _ item: ExportedPage.Item,
        of page: ExportedPage
    ) throws -> LeftOut.Reason? {
        let document: StoredDocument
        do throws(StoredDocument.Unusable) { document = try StoredDocument(item.job) } catch {
            return .sidecar(.document(error))
        }
        guard document.length <= WebDatasetFormat.maximumLength else { return .tooLarge }
        let names = WebDatasetFormat.names(item.job)
        var json: [UInt8] = []
        try JSONLinesFormat.write(item, of: page, in: coordinates, to: &json)
        let file = try openShard()
        let header = WebDatasetFormat.header(
            name: names.picture,
            length: document.length,
            time: document.time
        )
        try file.add(header)
        guard try file.add(document, of: item.job) != nil else {
            try file.cut(to: file.length - Int64(header.count))
            return .sidecar(.document(.changed))
        }
        try file.add(WebDatasetFormat.padding(after: document.length))
        let length = Int64(json.count)
        try file.add(WebDatasetFormat.header(name: names.json, length: length, time: document.time))
        try file.add(json + WebDatasetFormat.padding(after: length))
        count += 1
        if count == Self.maximumCount || file.length >= Self.maximumLength { try endShard() }
        return nil
    }

    private func openShard() throws -> ByteFile {
        if let shard { return shard }
        let file = try ByteFile(creating: folder.path + "/" + WebDatasetFormat.shard(shards))
        shard = file
        return file
    }

    private func endShard() throws {
        guard let shard else { return }
        try shard.add(WebDatasetFormat.end)
        try shard.sync()
        self.shard = nil
        count = 0
        shards += 1
    }

    func finish() throws {
        try endShard()
        try folder.finish()
    }

    func abandon() { folder.abandon() }
}
