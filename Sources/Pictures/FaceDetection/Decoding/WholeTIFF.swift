import CPictures

/// A page of a TIFF file as libtiff decodes it, whole and at once.
///
/// libvips reads no tiles whose colours lie in planes, no colours at half resolution outside of a JPEG, and
/// not the oldest way of having JPEG in TIFF (TIFF 6.0, section 22), which scanners and faxes have written.
enum WholeTIFF {
    /// Decodes a page, as it lies in the file; nil if libtiff can't either.
    ///
    /// - Throws: ``UnreadablePicture`` if it has more pixels, or takes more memory, than the limits allow.
    static func read(
        _ file: FileBytes,
        _ place: TIFFPages.Place,
        limits: PictureLimits
    ) throws(UnreadablePicture) -> VipsImageBox? {
        guard let map = MappedFile(file), let start = map.bytes.baseAddress else { return nil }
        var bytes = CTiff_bytes(
            bytes: start.assumingMemoryBound(to: UInt8.self),
            length: UInt64(map.bytes.count),
            place: 0
        )
        let (memory, size) = try withUnsafeMutablePointer(to: &bytes) { bytes throws(UnreadablePicture) in
            try decode(bytes, place, limits)
        }
        guard let memory else { return nil }
        let image = CVips_image_of_memory(memory, Int32(size.width), Int32(size.height), 4)
        let box = try VipsImageBox(taking: image)
        let colours = try box.applying { CVips_first_bands($0, $1, 3) }
        let picture = try colours.applying { CVips_reinterpret($0, $1, VIPS_INTERPRETATION_sRGB) }
        vips_image_set_int(picture.image, "orientation", Int32(size.orientation))
        return picture
    }

    private typealias Size = (width: Int, height: Int, orientation: Int)

    private static func decode(
        _ bytes: UnsafeMutablePointer<CTiff_bytes>,
        _ place: TIFFPages.Place,
        _ limits: PictureLimits
    ) throws(UnreadablePicture) -> (UnsafeMutableRawPointer?, Size) {
        let none: (UnsafeMutableRawPointer?, Size) = (nil, (0, 0, 1))
        guard let tiff = CTiff_open(bytes) else { return none }
        defer { TIFFClose(tiff) }
        guard CTiff_choose(tiff, Int32(place.page), Int32(place.subdirectory ?? -1)) != 0 else { return none }
        let width = CTiff_number(tiff, UInt32(TIFFTAG_IMAGEWIDTH), 0, 0)
        let height = CTiff_number(tiff, UInt32(TIFFTAG_IMAGELENGTH), 0, 0)
        guard width > 0, height > 0, width <= Int32.max, height <= Int32.max else { return none }
        let pixels = Int(width) * Int(height)
        guard pixels <= limits.pixels else { throw limits.tooManyPixels(Int(width), Int(height)) }
        guard pixels * 4 <= limits.wholePictureBytes else {
            throw UnreadablePicture(
                "is a TIFF that is decoded as a whole and would need \(pixels * 4) bytes of memory; "
                    + "the limit is \(limits.wholePictureBytes)"
            )
        }
        guard let memory = g_try_malloc0(gsize(pixels * 4)) else { return none }
        let words = memory.assumingMemoryBound(to: UInt32.self)
        guard CTiff_decode(tiff, width, height, words, 1) != 0 else {
            g_free(memory)
            return none
        }
        let orientation = Int(CTiff_number(tiff, UInt32(TIFFTAG_ORIENTATION), 1, 1))
        return (memory, (Int(width), Int(height), (1...8).contains(orientation) ? orientation : 1))
    }
}
