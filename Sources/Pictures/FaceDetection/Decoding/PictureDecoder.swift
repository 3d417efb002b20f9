import CPictures
import Glibc
import SmallFiles
import Vocabulary

/// Decodes documents to pictures of a working size.
///
/// libvips shrinks while it decodes: a JPEG of 28 megapixels costs 70 ms and
/// 7 MB instead of its 84 MB of pixels.
public struct PictureDecoder {
    /// The limits on what a picture may cost.
    public var limits = PictureLimits()

    /// Creates a decoder with the default limits.
    public init() {}

    /// Decodes the first page of a file, upright, with its long side at most `workingSize` pixels.
    public func decode(path: String, workingSize: Int) throws(UnreadablePicture) -> Picture {
        let descriptor = try Self.open(path: path)
        defer { close(descriptor) }
        return try decode(descriptor: descriptor, workingSize: workingSize)
    }

    /// Opens a regular file for decoding, here or by another process; the caller must close it.
    public static func open(path: String) throws(UnreadablePicture) -> Int32 {
        // O_NONBLOCK, because opening a FIFO must not wait for its writer.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let cause = errno
            let words = String(cString: strerror(cause))
            throw UnreadablePicture("can't be opened: \(words)", openingError: cause)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw UnreadablePicture("is not a regular file")
        }
        return descriptor
    }

    /// Opens a regular file that is in a folder, where no link is followed; the caller must close it.
    public static func open(inside path: InnerPath) throws(UnreadablePicture) -> Int32 {
        do throws(FileFailure) {
            return try path.openFile().descriptor
        } catch {
            switch error {
            case .system(let cause):
                throw UnreadablePicture("can't be opened: \(error)", openingError: cause)
            case .notRegular, .tooLong: throw UnreadablePicture("is not a regular file")
            }
        }
    }

    /// Decodes the first page of an open file, as ``decode(path:workingSize:)`` does, and opens nothing.
    ///
    /// With `isShown` the picture has the colours that its profile means, for people to look at. Engines
    /// see its values as they are. With `isForCopy` it is as large as a copy of it is, or as `workingSize`.
    public func decode(
        descriptor: Int32,
        workingSize: Int,
        isShown: Bool = false,
        isForCopy: Bool = false
    ) throws(UnreadablePicture) -> Picture {
        let (picture, profile) = try decodeWithProfile(descriptor, workingSize, isForCopy: isForCopy)
        return isShown ? profile?.applied(to: picture) ?? picture : picture
    }

    /// Decodes an open file for an engine, and again for people if a profile means other colours: with
    /// its longer side at most `shownSide` pixels.
    ///
    /// Decoding is what takes long, and it is done once.
    public func decode(
        descriptor: Int32,
        workingSize: Int,
        shownSide: Int
    ) throws(UnreadablePicture) -> (picture: Picture, shown: Picture?) {
        let (picture, profile) = try decodeWithProfile(descriptor, workingSize)
        guard let profile else { return (picture, nil) }
        return (picture, profile.applied(to: try picture.shrunk(to: shownSide, by: .means)))
    }

    private func decodeWithProfile(
        _ descriptor: Int32,
        _ workingSize: Int,
        isForCopy: Bool = false
    ) throws(UnreadablePicture) -> (Picture, ColourProfile?) {
        func decode(goesOn: Bool) throws(UnreadablePicture) -> (Picture, ColourProfile?) {
            let opened = try begin(descriptor, workingSize, isForCopy: isForCopy, goesOn: goesOn)
            return (Picture(pixels: try opened.upright.pixels(), of: opened.frame), opened.profile)
        }
        do throws(UnreadablePicture) {
            return try decode(goesOn: false)
        } catch {
            // What is there of a picture that was cut off is no picture: faces that are missing can't be
            // counted. One that is whole but for some of its data is, and is said to be damaged.
            guard (try? format(of: descriptor)) == .jpeg,
                JPEGEnd.isThere(in: FileBytes(descriptor: descriptor)),
                lseek(descriptor, 0, SEEK_SET) == 0
            else { throw error }
        }
        return try decode(goesOn: true)
    }

    /// Decodes the first page of an open file row by row, which has to stay open until the last one is read.
    ///
    /// What that takes of memory doesn't depend on the picture's height, where its format and orientation
    /// allow for that.
    public func rows(descriptor: Int32, workingSize: Int) throws(UnreadablePicture) -> PictureRows {
        let opened = try begin(descriptor, workingSize)
        let frame = opened.frame
        let rows = try DecodedRows(opened.upright)
        guard let picture = PictureRows(header: frame.header, read: { try rows.read($0) }) else {
            throw UnreadablePicture.changed
        }
        return picture
    }

    /// A file whose header has been read.
    private struct Opened: ~Copyable {
        /// The picture without pixels.
        let frame: Picture
        /// The picture that those are decoded from.
        let upright: VipsImageBox
        let profile: ColourProfile?
    }

    private func begin(
        _ descriptor: Int32,
        _ workingSize: Int,
        isForCopy: Bool = false,
        goesOn: Bool = false
    ) throws(UnreadablePicture) -> Opened {
        if let failure = VipsLibrary.failure { throw UnreadablePicture(failure) }
        let format = try format(of: descriptor)
        let file = try OpenedPicture.open(FileBytes(descriptor: descriptor), format, limits: limits)
        try check(file.header, format)
        // libvips applies any orientation that it knows, and libheif already has.
        let known = format == .jxl ? nil : file.header.integer("orientation")
        let unknown = format == .png ? PNGOrientation.read(from: descriptor) : file.held
        let ours = known == nil ? unknown.flatMap { $0 == 1 ? nil : $0 } : nil
        let told = format == .heif ? 1 : known ?? ours ?? 1
        let orientation = (1...8).contains(told) ? told : 1
        // Orientations 5 to 8 are on their side (EXIF 2.32, tag 0x0112).
        let lies = orientation >= 5
        let stored = (file.header.width, file.header.height)
        let (fullWidth, fullHeight) = lies ? (stored.1, stored.0) : stored

        let size =
            isForCopy ? min(workingSize, PlainCopy.side(width: fullWidth, height: fullHeight)) : workingSize
        let small = try file.shrunk(to: size, goesOn: goesOn)
        let upright: VipsImageBox
        if let ours {
            upright = try eightBitRGB(try turned(small, ours))
        } else {
            upright = try eightBitRGB(small)
        }
        let profile = ColourProfile(of: small)
        var frame = Picture(
            pixels: [],
            width: upright.width,
            height: upright.height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: Self.toldOrientation(format, descriptor) ?? orientation,
            format: format
        )
        frame.hasProfile = profile != nil
        frame.isDamaged = goesOn
        // libvips tells 4:4:4 from everything else.
        frame.isSubsampled = format == .jpeg && file.header.string("jpeg-chroma-subsample") == "4:2:0"
        return Opened(frame: frame, upright: upright, profile: profile)
    }

    /// The orientation in a file of a format that turns its pictures itself; nil for all others.
    private static func toldOrientation(_ format: PictureFormat, _ descriptor: Int32) -> Int? {
        switch format {
        case .heif: HEIFOrientation.read(from: descriptor) ?? 1
        case .jxl: JXLOrientation.read(FileBytes(descriptor: descriptor).part) ?? 1
        default: nil
        }
    }

    /// Recognizes the format of a file by its first bytes.
    private func format(of descriptor: Int32) throws(UnreadablePicture) -> PictureFormat {
        let file = FileBytes(descriptor: descriptor)
        guard file.length > 0 else { throw UnreadablePicture("is empty") }
        let signature = file.part(0, PictureFormat.signatureLength)
        guard !signature.isEmpty else {
            throw UnreadablePicture("can't be read: \(String(cString: strerror(errno)))")
        }
        guard let format = PictureFormat(signature: signature) else {
            throw UnreadablePicture(
                "is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP or RAW picture"
            )
        }
        if format == .tiff, TIFFPages(file.part)?.isRaw == true { return .raw }
        return format
    }

    /// Refuses pictures that would cost too much, judging by the header.
    private func check(_ header: borrowing VipsImageBox, _ format: PictureFormat) throws(UnreadablePicture) {
        let pixels = header.width.multipliedReportingOverflow(by: header.height)
        guard !pixels.overflow, pixels.partialValue <= limits.pixels else {
            throw limits.tooManyPixels(header.width, header.height)
        }
        guard let bytes = wholePictureBytes(header, format, pixels: pixels.partialValue) else { return }
        guard bytes <= limits.wholePictureBytes else {
            throw UnreadablePicture(
                (format == .jxl || format == .jp2
                    ? "is decoded as a whole and would" : "is progressive or interlaced and would")
                    + " need \(bytes) bytes of memory to decode; "
                    + "the limit is \(limits.wholePictureBytes)"
            )
        }
    }

    /// Returns the memory in bytes for a picture that can't be decoded in strips; nil if it can.
    private func wholePictureBytes(
        _ header: borrowing VipsImageBox,
        _ format: PictureFormat,
        pixels: Int
    ) -> Int? {
        switch format {
        // Their decoders hold all of it, with numbers of 4 bytes for each value.
        case .jxl, .jp2: return pixels * (header.bands * 4 + 4)
        default: break
        }
        let marked = header.integer("interlaced") ?? header.integer("jpeg-multiscan") ?? 0
        guard marked != 0 else { return nil }
        switch format {
        // Coefficients take 16 bits each, whatever the scan shows.
        case .jpeg, .raw: return pixels * header.bands * 2
        case .png: return pixels * header.bands * Int(vips_format_sizeof(header.image.pointee.BandFmt))
        case .webp, .gif, .tiff, .heif, .bmp, .jxl, .jp2: return nil
        }
    }

    /// Converts a picture as people see it to 8-bit red, green and blue.
    private func eightBitRGB(_ picture: borrowing VipsImageBox) throws(UnreadablePicture) -> VipsImageBox {
        let opaque =
            vips_image_hasalpha(picture.image) != 0
            ? try picture.applying { CVips_flatten($0, $1, Self.ground(of: $0)) }
            : try picture.applying { CVips_copy($0, $1) }
        let colour = try opaque.applying { CVips_colourspace($0, $1, VIPS_INTERPRETATION_sRGB) }
        let bytes = try colour.applying { CVips_cast($0, $1, VIPS_FORMAT_UCHAR) }
        guard bytes.bands >= 3 else {
            throw UnreadablePicture("has \(bytes.bands) colour bands instead of 3")
        }
        return try bytes.applying { CVips_first_bands($0, $1, 3) }
    }

    /// Turns a small picture upright whose orientation libvips doesn't know.
    private func turned(
        _ picture: borrowing VipsImageBox,
        _ orientation: Int
    ) throws(UnreadablePicture) -> VipsImageBox {
        // Rotation needs random access to rows, which come in sequence.
        let memory = try VipsImageBox(taking: vips_image_copy_memory(picture.image))
        let marked = try memory.applying { CVips_copy($0, $1) }
        vips_image_set_int(marked.image, "orientation", Int32(orientation))
        return try marked.applying { CVips_autorotate($0, $1) }
    }

    /// Returns white, which most viewers show behind transparent parts.
    private static func ground(of image: UnsafeMutablePointer<VipsImage>) -> Double {
        switch vips_image_get_interpretation(image) {
        case VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_GREY16: 65535
        case VIPS_INTERPRETATION_scRGB: 1
        default: 255
        }
    }
}
