import CPictures

/// The meaning of a picture's values in its file.
public enum PaintedColour: CaseIterable, Sendable {
    /// Red, green and blue, 8 bits.
    case colour
    /// One grey, 8 bits.
    case grey
    /// Red, green and blue, 16 bits; PNG and TIFF only.
    case deep
    /// Cyan, magenta, yellow and black, without a profile; JPEG and TIFF only.
    case cmyk
    /// Cyan, magenta, yellow and black, with a printer's profile; JPEG and TIFF only.
    case profiled
    /// Red, green, blue and alpha, a transparent frame around the picture; not JPEG.
    case alpha
    /// As alpha, with 16 bits; PNG and TIFF only.
    case deepAlpha
}

extension PaintedPicture {
    /// Encodes as JPEG.
    public func jpeg(
        quality: Int = 90,
        orientation: Orientation = .upright,
        progressive: Bool = false,
        colour: PaintedColour = .colour
    ) throws -> [UInt8] {
        try prepared(colour, orientation).encoded {
            CVips_jpeg($0, $1, $2, Int32(quality), progressive ? 1 : 0)
        }
    }

    /// Encodes as JPEG that doesn't say how it lies, and nothing else but its pixels.
    public func plainJPEG(quality: Int = 90, orientation: Orientation = .upright) throws -> [UInt8] {
        try prepared(.colour, orientation).encoded { CVips_plain_jpeg($0, $1, $2, Int32(quality), 0) }
    }

    /// Encodes as JPEG that begins anew after every so many blocks of its data (ITU-T T.81, DRI), with a marker
    /// each.
    public func restartingJPEG(every blocks: Int) throws -> [UInt8] {
        try prepared(.colour, .upright).encoded { CVips_restarting_jpeg($0, $1, $2, Int32(blocks)) }
    }

    /// Encodes as PNG.
    public func png(
        orientation: Orientation = .upright,
        interlaced: Bool = false,
        colour: PaintedColour = .colour
    ) throws -> [UInt8] {
        // It lies as it is told to, and doesn't say so: libvips 8.16 would, which 8.14 can't.
        try prepared(colour, orientation, says: false).encoded {
            CVips_png($0, $1, $2, 3, interlaced ? 1 : 0)
        }
    }

    /// Encodes as WebP.
    public func webp(
        quality: Int = 85,
        lossless: Bool = false,
        orientation: Orientation = .upright,
        colour: PaintedColour = .colour
    ) throws -> [UInt8] {
        try prepared(colour, orientation).encoded {
            CVips_webp($0, $1, $2, Int32(quality), lossless ? 1 : 0)
        }
    }

    /// Encodes as TIFF, with further empty pages if wanted.
    public func tiff(
        orientation: Orientation = .upright,
        colour: PaintedColour = .colour,
        emptyPages: Int = 0
    ) throws -> [UInt8] {
        try prepared(colour, orientation, emptyPages: emptyPages).encoded { CVips_tiff($0, $1, $2) }
    }

    /// Encodes as GIF, with further empty frames if wanted.
    public func gif(emptyFrames: Int = 0, colour: PaintedColour = .colour) throws -> [UInt8] {
        try prepared(colour, .upright, emptyPages: emptyFrames).encoded { CVips_gif($0, $1, $2) }
    }

    /// Encodes as HEIC, turned by the format's own properties, which with `isTurnedFirst` are listed ahead of
    /// all others; throws where libheif has no encoder for it.
    public func heic(
        quality: Int = 70,
        orientation: Orientation = .upright,
        isTurnedFirst: Bool = false
    ) throws -> [UInt8] {
        let bytes = try prepared(.colour, orientation, says: Self.saysInExif).encoded {
            CVips_heif($0, $1, $2, Int32(quality), VIPS_FOREIGN_HEIF_COMPRESSION_HEVC)
        }
        return HEIFBoxes.turned(bytes, orientation, isFirst: isTurnedFirst)
    }

    /// Encodes as AVIF, turned in the same way; throws where libheif has no encoder for it.
    public func avif(
        quality: Int = 70,
        orientation: Orientation = .upright,
        isTurnedFirst: Bool = false
    ) throws -> [UInt8] {
        let bytes = try prepared(.colour, orientation, says: Self.saysInExif).encoded {
            CVips_heif($0, $1, $2, Int32(quality), VIPS_FOREIGN_HEIF_COMPRESSION_AV1)
        }
        return HEIFBoxes.turned(bytes, orientation, isFirst: isTurnedFirst)
    }

    /// Encodes as JPEG XL; throws where libvips has no encoder for it.
    public func jxl(orientation: Orientation = .upright, lossless: Bool = false) throws -> [UInt8] {
        let picture = try prepared(.colour, orientation)
        // Its encoder is one of those for trusted files alone, as its decoder is.
        vips_operation_block_set("VipsForeignSaveJxl", 0)
        return try picture.encoded { CVips_jxl($0, $1, $2, lossless ? 1 : 0) }
    }

    /// Encodes as JPEG 2000 in tiles of so many pixels a side; throws where libvips has no encoder for it.
    public func jp2(side: Int = 512, lossless: Bool = false) throws -> [UInt8] {
        try prepared(.colour, .upright).encoded { CVips_jp2($0, $1, $2, Int32(side), lossless ? 1 : 0) }
    }

    /// Encodes as PNG with the colours of Display P3, as screens and telephones have them.
    public func widePNG() throws -> [UInt8] {
        let picture = try prepared(.colour, .upright)
        try picture.apply { CVips_wide($0, $1) }
        return try picture.encoded { CVips_png($0, $1, $2, 0, 0) }
    }

    /// Encodes as JPEG with such colours.
    public func wideJPEG() throws -> [UInt8] {
        let picture = try prepared(.colour, .upright)
        try picture.apply { CVips_wide($0, $1) }
        return try picture.encoded { CVips_jpeg($0, $1, $2, 95, 0) }
    }

    /// True where libvips writes the orientation of a HEIC picture as EXIF, which is for information only there,
    /// and not by the format's properties, which these functions add.
    private static let saysInExif = vips_version(0) == 8 && vips_version(1) < 15

    private func prepared(
        _ colour: PaintedColour,
        _ orientation: Orientation,
        says: Bool = true,
        emptyPages: Int = 0
    ) throws -> VipsPicture {
        let (stored, width, height) = stored(orientation)
        let blank = [UInt8](repeating: 200, count: stored.count * emptyPages)
        let (pages, rows) = (stored + blank, height * (1 + emptyPages))
        let picture: VipsPicture
        switch colour {
        case .colour, .grey, .deep, .profiled:
            picture = try VipsPicture(
                pixels: pages,
                width: width,
                height: rows,
                bands: 3,
                as: VIPS_INTERPRETATION_sRGB
            )
        case .cmyk:
            picture = try VipsPicture(
                pixels: Self.inks(pages),
                width: width,
                height: rows,
                bands: 4,
                as: VIPS_INTERPRETATION_CMYK
            )
        case .alpha, .deepAlpha:
            picture = try VipsPicture(
                pixels: Self.framed(pages, width: width, height: rows),
                width: width,
                height: rows,
                bands: 4,
                as: VIPS_INTERPRETATION_sRGB
            )
        }
        if colour == .grey { try picture.apply { CVips_colourspace($0, $1, VIPS_INTERPRETATION_B_W) } }
        if colour == .profiled { try picture.apply { CVips_print($0, $1) } }
        if colour == .deep || colour == .deepAlpha {
            // 65535 / 255, so that white stays white.
            try picture.apply { CVips_linear($0, $1, 257, 0) }
            try picture.apply { CVips_cast($0, $1, VIPS_FORMAT_USHORT) }
            try picture.apply { CVips_reinterpret($0, $1, VIPS_INTERPRETATION_RGB16) }
        }
        if says && orientation != .upright { picture.set("orientation", orientation.rawValue) }
        if emptyPages > 0 { picture.set("page-height", height) }
        return picture
    }

    /// The simplest separation: no black, each ink what its colour lacks.
    private static func inks(_ pixels: [UInt8]) -> [UInt8] {
        var inks: [UInt8] = []
        inks.reserveCapacity(pixels.count / 3 * 4)
        for offset in stride(from: 0, to: pixels.count, by: 3) {
            inks += [255 - pixels[offset], 255 - pixels[offset + 1], 255 - pixels[offset + 2], 0]
        }
        return inks
    }

    /// Adds alpha: a frame of a sixteenth of the width is transparent.
    private static func framed(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        let frame = width / 16
        var framed: [UInt8] = []
        framed.reserveCapacity(pixels.count / 3 * 4)
        for row in 0..<height {
            for column in 0..<width {
                let offset = (row * width + column) * 3
                let inside =
                    (frame..<width - frame).contains(column) && (frame..<height - frame).contains(row)
                framed += [pixels[offset], pixels[offset + 1], pixels[offset + 2], inside ? 255 : 0]
            }
        }
        return framed
    }
}
