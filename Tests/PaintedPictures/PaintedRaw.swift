/// Files as cameras record them: a sensor's values, with previews beside those.
public enum PaintedRaw: String, CaseIterable, Sendable {
    /// As Adobe's converter and many telephones write it: a small first page, which refers to the rest.
    case dng
    /// As Nikon's cameras do.
    case nef

    /// A file with a preview as a JPEG, if there is one, whose first page is another picture.
    ///
    /// The sensor is as wide as the preview unless `isWide` says otherwise.
    public func file(
        preview: [UInt8]?,
        width: Int,
        height: Int,
        first: PaintedPicture,
        orientation: Orientation = .upright,
        isWide: Bool? = nil
    ) -> [UInt8] {
        let sensor = Self.sensor(isWide: isWide ?? (width >= height))
        var page = PaintedTIFF.Page(first, kind: 1)
        page.tags[274] = .short([orientation.rawValue])
        switch self {
        case .dng:
            page.tags[50706] = .bytes([1, 4, 0, 0])
            page.tags[271] = .text("Painted")
            page.tags[272] = .text("Camera")
            page.tags[50708] = .text("Painted Camera")
            page.subpages = [sensor]
            if let preview {
                let tags: [Int: PaintedTIFF.Value] = [
                    254: .long([1]), 256: .long([width]), 257: .long([height]), 258: .short([8, 8, 8]),
                    259: .short([7]), 262: .short([6]), 277: .short([3]), 278: .long([height]),
                ]
                page.subpages.append(PaintedTIFF.Page(tags, pieces: [preview]))
            }
        case .nef:
            page.tags[271] = .text("NIKON CORPORATION")
            page.tags[272] = .text("NIKON D700")
            if let preview {
                var small = PaintedTIFF.Page([254: .long([1]), 259: .short([6])], pieces: [preview])
                small.places = (513, 514)
                page.subpages = [small]
            }
            page.subpages.append(sensor)
        }
        return PaintedTIFF.file([page])
    }

    /// A mosaic of one colour.
    private static func sensor(isWide: Bool) -> PaintedTIFF.Page {
        let (width, height) = isWide ? (612, 408) : (408, 612)
        let values = (0..<width * height).flatMap { _ -> [UInt8] in [0, 16] }
        return PaintedTIFF.Page(
            [
                254: .long([0]), 256: .long([width]), 257: .long([height]), 258: .short([16]),
                259: .short([1]), 262: .short([32803]), 277: .short([1]), 278: .long([height]),
                33421: .short([2, 2]), 33422: .bytes([0, 1, 1, 2]),
            ],
            pieces: [values]
        )
    }
}
