import CPictures

/// The largest picture that a camera has put into its RAW file, beside what its sensor saw.
///
/// That is what people look at, too: sensor data are developed by hand, into other files.
enum RawPreview {
    /// The least that the longer side has to have.
    static let leastSide = 640

    /// Opens the preview in a file; nil if LibRaw doesn't know the file.
    ///
    /// - Throws: ``UnreadablePicture`` if the file is too long, damaged, or has no preview.
    static func read(
        _ file: FileBytes,
        limits: PictureLimits
    ) throws(UnreadablePicture) -> OpenedPicture? {
        guard file.length <= limits.rawFileBytes else {
            throw UnreadablePicture(
                "is a RAW file of \(file.length) bytes; the limit is \(limits.rawFileBytes)"
            )
        }
        guard let map = MappedFile(file), let start = map.bytes.baseAddress else {
            throw UnreadablePicture("can't be mapped into memory")
        }
        guard let raw = CRaw_begin() else { throw UnreadablePicture("takes more memory than there is") }
        defer { CRaw_end(raw) }
        let opened = CRaw_open(raw, start, map.bytes.count)
        if CRaw_is_unknown(opened) != 0 { return nil }
        guard opened == 0 else { throw failure(opened) }
        var found = CRaw_preview()
        let taken = CRaw_unpack(raw, &found)
        guard CRaw_is_without_preview(taken) == 0 else { throw tooSmall(nil) }
        guard taken == 0 else { throw failure(taken) }
        var preview = try preview(found)
        preview.held = orientation(found.flip)
        // Some cameras turn the preview, and the sensor's values only say how they lie.
        let isWide = preview.header.width >= preview.header.height
        if found.flip >= 5, isWide != (found.is_sensor_wide != 0) { preview.held = nil }
        try check(preview.header)
        return preview
    }

    private static func preview(_ found: CRaw_preview) throws(UnreadablePicture) -> OpenedPicture {
        guard let bytes = found.bytes, found.length > 0 else { throw tooSmall(nil) }
        switch found.kind {
        case CRaw_jpeg:
            // LibRaw's memory goes with the file.
            return try OpenedPicture(taking: CVips_source_of_copy(bytes, found.length), .jpeg)
        case CRaw_rgb:
            let (width, height) = (Int(found.width), Int(found.height))
            guard width > 0, height > 0, found.length == width * height * 3 else { throw tooSmall(nil) }
            let image = vips_image_new_from_memory_copy(
                bytes,
                found.length,
                found.width,
                found.height,
                3,
                VIPS_FORMAT_UCHAR
            )
            let plain = try VipsImageBox(taking: image)
            return OpenedPicture(try plain.applying { CVips_reinterpret($0, $1, VIPS_INTERPRETATION_sRGB) })
        default: throw UnreadablePicture("is a RAW file whose preview is of no known kind")
        }
    }

    private static func check(_ preview: borrowing VipsImageBox) throws(UnreadablePicture) {
        guard max(preview.width, preview.height) >= leastSide else {
            throw tooSmall("\(preview.width) x \(preview.height)")
        }
    }

    /// Returns EXIF's number for how LibRaw says that a picture lies.
    private static func orientation(_ flip: Int32) -> Int {
        switch flip {
        case 3: 3
        case 5: 8
        case 6: 6
        default: 1
        }
    }

    private static func tooSmall(_ size: String?) -> UnreadablePicture {
        UnreadablePicture(
            "is a RAW file without a preview of at least \(leastSide) pixels"
                + (size.map { "; the largest has \($0)" } ?? "")
        )
    }

    private static func failure(_ error: Int32) -> UnreadablePicture {
        UnreadablePicture("is a RAW file that LibRaw can't read: \(String(cString: libraw_strerror(error)))")
    }
}
