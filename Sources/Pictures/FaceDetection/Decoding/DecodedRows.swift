import CPictures

/// Decodes an image of libvips row by row, from the top.
final class DecodedRows {
    private let image: VipsImageBox
    private let region: OpaquePointer
    private var next = 0
    /// Rows decoded at once: what lies between the file and them is held for so many.
    private static let atOnce = 64

    init(_ image: consuming VipsImageBox) throws(UnreadablePicture) {
        guard let region = CVips_region(image.image) else { throw VipsLibrary.takeError() }
        self.region = region
        self.image = image
    }

    deinit { CVips_region_end(region) }

    /// Returns that many more rows; nil when there are fewer.
    func read(_ count: Int) throws(UnreadablePicture) -> [UInt8]? {
        guard count > 0, next + count <= image.height else { return nil }
        let length = image.width * 3
        var failed = false
        let rows = [UInt8](unsafeUninitializedCapacity: count * length) { buffer, filled in
            while filled < count * length, let place = buffer.baseAddress {
                let height = min(Self.atOnce, count - filled / length)
                guard CVips_region_rows(region, Int32(next), Int32(height), place + filled) == 0 else {
                    failed = true
                    return
                }
                next += height
                filled += height * length
            }
        }
        guard !failed else { throw VipsLibrary.takeError() }
        return rows
    }
}
