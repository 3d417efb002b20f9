import Vocabulary

/// The supported picture formats, recognized by their first bytes.
///
/// RAW files of most makers begin as TIFFs do, and ``TIFFPages`` tells them apart. A name proves nothing; only the bytes count. Whatever isn't on this list never reaches a decoder.
/// That includes SVG and PDF, which libvips could read but which are as much programs as pictures.
extension PictureFormat {
    /// The number of bytes needed to recognize a format.
    public static let signatureLength = 16

    /// Recognizes the format by the first ``signatureLength`` bytes; nil if it is none of them.
    public init?(signature bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg  // ITU-T T.81, B.1.1: SOI, then any marker.
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png  // W3C PNG, section 5.2.
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            self = .webp  // RFC 9649, section 2.4.
        } else if Self.tiffSignatures.contains(Array(bytes.prefix(4))) {
            self = .tiff
        } else if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)),
            Self.heifBrands.contains(String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self))
        {
            self = .heif  // ISO/IEC 14496-12, 4.3: the major brand.
        } else if Self.rawSignatures.contains(where: { bytes.starts(with: $0.utf8) })
            || bytes.dropFirst(4).starts(with: Array("ftypcrx ".utf8))
        {
            self = .raw
        } else if bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: Self.box("JXL ")) {
            self = .jxl  // ISO/IEC 18181-1, annex D, and 18181-2, section 9.1.
        } else if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) || bytes.starts(with: Self.box("jP  ")) {
            self = .jp2  // ITU-T T.800, A.4.1 and I.5.1.
        } else if bytes.starts(with: Array("BM".utf8)), bytes.count >= 16, bytes[15] == 0,
            BitmapFile.headers.contains(Int(bytes[14]))
        {
            self = .bmp  // Two letters begin many a text; a length of a header follows in none.
        } else {
            return nil
        }
    }

    /// Returns the first box of a file of JPEG's later standards.
    private static func box(_ name: String) -> [UInt8] {
        [0, 0, 0, 0x0C] + Array(name.utf8) + [0x0D, 0x0A, 0x87, 0x0A]
    }

    /// The signatures of TIFF in both byte orders (TIFF 6.0, section 2), and of BigTIFF.
    private static let tiffSignatures: [[UInt8]] = [
        [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
    ]

    /// Beginnings of RAW files that aren't TIFFs.
    ///
    /// They are Fujifilm's, Panasonic's, three of Olympus, Sigma's, Minolta's and Canon's oldest. Canon's newest
    /// have a brand.
    private static let rawSignatures = [
        "FUJIFILMCCD-RAW", "IIU\0", "IIRO", "IIRS", "MMOR", "FOVb", "\0MRM", "II\u{1A}\0\0\0HEAPCCDR",
    ]

    /// The brands of HEIC (ISO/IEC 23008-12, annex B) and AVIF (AV1 Image File Format, section 8).
    private static let heifBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1", "avif", "avis",
    ]

    /// The prefix of libvips' names for the format's loaders, such as `VipsForeignLoadJpegSource`.
    var loaderPrefix: String {
        switch self {
        case .jpeg: "VipsForeignLoadJpeg"
        case .png: "VipsForeignLoadPng"
        case .webp: "VipsForeignLoadWebp"
        case .gif: "VipsForeignLoadNsgif"
        case .tiff: "VipsForeignLoadTiff"
        case .heif: "VipsForeignLoadHeif"
        case .raw: "VipsForeignLoadJpeg"
        case .jxl: "VipsForeignLoadJxl"
        case .jp2: "VipsForeignLoadJp2k"
        // No loader of libvips reads it but ImageMagick's.
        case .bmp: "none"
        }
    }
}
