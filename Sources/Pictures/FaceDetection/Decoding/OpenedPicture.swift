import CPictures
import Glibc
import Vocabulary

/// A picture file as libvips has it: its header, and how its pixels are had.
///
/// A file is decoded from the picture that it is said to hold, never from a small one beside that: libvips'
/// own way to a thumbnail takes what is embedded for it, and pages that are half as large, which may
/// show anything.
struct OpenedPicture: ~Copyable {
    /// The picture, undecoded.
    let header: VipsImageBox
    /// The way the camera was held, as a RAW file says it in EXIF's numbers; nil for all other files.
    var held: Int?
    /// The source that libvips makes a smaller picture of while it decodes; nil if it does so afterwards.
    private let source: UnsafeMutablePointer<VipsSource>?

    /// A picture that is there, or is made smaller once it is decoded.
    init(_ header: consuming VipsImageBox) {
        self.header = header
        source = nil
    }

    /// Opens what a source has, which is taken over, with libvips' own options.
    ///
    /// With `isWhole` it is made smaller once it is decoded.
    init(
        taking source: UnsafeMutablePointer<VipsSource>?,
        _ format: PictureFormat,
        _ options: String = "",
        isWhole: Bool = false
    ) throws(UnreadablePicture) {
        guard let source else { throw VipsLibrary.takeError() }
        do throws(UnreadablePicture) {
            // The library must agree about the format. Otherwise a trick with two signatures could reach a
            // loader that isn't allowed.
            guard let loader = vips_foreign_find_load_source(source) else { throw VipsLibrary.takeError() }
            guard String(cString: loader).hasPrefix(format.loaderPrefix) else {
                throw UnreadablePicture("begins like a \(format.rawValue) picture but is not one")
            }
            header = try VipsImageBox(taking: CVips_image_open(source, options))
        } catch {
            g_object_unref(source)
            throw error
        }
        if isWhole { g_object_unref(source) }
        self.source = isWhole ? nil : source
    }

    /// Opens a file of a format.
    static func open(
        _ file: FileBytes,
        _ format: PictureFormat,
        limits: PictureLimits
    ) throws(UnreadablePicture) -> OpenedPicture {
        switch format {
        case .jpeg, .png, .webp, .gif:
            if format == .png { try PNGLengths.check(length: file.length, file.part) }
            return try OpenedPicture(taking: vips_source_new_from_descriptor(file.descriptor), format)
        case .heif:
            let source = patched(file, with: try HEIFRepair.patches(file.part))
            return try OpenedPicture(taking: source, format, "[fail_on=truncated]", isWhole: true)
        case .tiff: return try tiff(file, limits)
        case .bmp: return OpenedPicture(try BitmapFile.read(file, limits: limits))
        case .jxl, .jp2:
            guard VipsLibrary.canLoad(format) else {
                throw UnreadablePicture("is of a format for which this machine's libvips has no loader")
            }
            try BoxLengths.check(length: file.length, file.part)
            if format == .jp2 { try checkParts(file, limits) }
            let opened = try OpenedPicture(
                taking: withoutRest(file, BoxLengths.whole(length: file.length, file.part)),
                format,
                "[fail_on=truncated]",
                isWhole: true
            )
            guard format == .jxl else { return opened }
            // Its decoder has turned the picture, and what EXIF says of that is for nobody (ISO/IEC 18181-2).
            let plain = try opened.header.applying { CVips_copy($0, $1) }
            vips_image_remove(plain.image, "orientation")
            return OpenedPicture(plain)
        case .raw:
            if let preview = try RawPreview.read(file, limits: limits) { return preview }
            // What says of itself that it is from a camera may be a TIFF all the same.
            guard PictureFormat(signature: file.part(0, PictureFormat.signatureLength)) == .tiff else {
                throw UnreadablePicture("is a RAW file of a kind that LibRaw doesn't know")
            }
            return try tiff(file, limits)
        }
    }

    /// Refuses a JPEG 2000 that begins somewhere in a file and is divided into so many parts that they alone take
    /// too much memory.
    private static func checkParts(
        _ file: FileBytes,
        _ limits: PictureLimits,
        from start: Int = 0
    ) throws(UnreadablePicture) {
        let bytes = JP2Cost.read { file.part(start + $0, $1) }
        guard bytes > limits.wholePictureBytes else { return }
        throw UnreadablePicture(
            "is decoded as a whole and would need \(bytes) bytes of memory to decode; "
                + "the limit is \(limits.wholePictureBytes)"
        )
    }

    /// Opens the picture that a TIFF holds, which mustn't be cut off: faces that are missing can't be counted.
    private static func tiff(
        _ file: FileBytes,
        _ limits: PictureLimits
    ) throws(UnreadablePicture) -> OpenedPicture {
        let pages = TIFFPages(file.part)
        let place = pages?.place ?? TIFFPages.Place()
        if let page = pages?.chosen, page.isJPEG2000 {
            // Where they can't be found here, OpenJPEG may find them all the same.
            guard (1..<TIFFPages.mostPieces).contains(page.packedPictures.count) else {
                throw UnreadablePicture("is a TIFF of JPEG 2000s that can't be found in it")
            }
            for start in Set(page.packedPictures) { try checkParts(file, limits, from: start) }
        }
        if pages?.isUnusual == true, let whole = try WholeTIFF.read(file, place, limits: limits) {
            return OpenedPicture(whole)
        }
        let subdirectory = place.subdirectory.map { ",subifd=\($0)" } ?? ""
        return try OpenedPicture(
            taking: vips_source_new_from_descriptor(file.descriptor),
            .tiff,
            "[fail_on=truncated,page=\(place.page)\(subdirectory)]",
            isWhole: true
        )
    }

    deinit { if let source { g_object_unref(source) } }

    /// The picture, upright as far as libvips knows, within a box of `size` by `size` pixels.
    ///
    /// With `goesOn` a JPEG's damaged data is no reason to fail; otherwise libvips gives up after many warnings.
    func shrunk(to size: Int, goesOn: Bool = false) throws(UnreadablePicture) -> VipsImageBox {
        let size = Int32(clamping: size)
        guard let source else { return try header.applying { CVips_shrink($0, $1, size) } }
        return try VipsImageBox { out in
            CVips_thumbnail(
                source,
                out,
                size,
                goesOn ? "[fail_on=truncated,unlimited]" : "[fail_on=truncated]"
            )
        }
    }

    /// The file with some of its bytes changed, of which nothing but those takes memory.
    private static func patched(
        _ file: FileBytes,
        with patches: [HEIFRepair.Patch]
    ) -> UnsafeMutablePointer<VipsSource>? {
        guard !patches.isEmpty, let map = MappedFile(file) else {
            return vips_source_new_from_descriptor(file.descriptor)
        }
        map.change(patches)
        return map.source()
    }

    /// Returns a source without what is behind so many bytes.
    ///
    /// libjxl 0.11 takes a picture for cut off if a box behind it is.
    private static func withoutRest(_ file: FileBytes, _ length: Int) -> UnsafeMutablePointer<VipsSource>? {
        guard length < file.length, let map = MappedFile(file, length: length) else {
            return vips_source_new_from_descriptor(file.descriptor)
        }
        return map.source()
    }
}

/// Reads of an open file at any place, without moving its position.
struct FileBytes {
    let descriptor: Int32

    /// Returns so many bytes from an offset on, or fewer at the file's end.
    func part(_ offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, offset))
        }
    }

    /// The length of the file in bytes; 0 if nobody can tell.
    var length: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size)) : 0
    }
}
