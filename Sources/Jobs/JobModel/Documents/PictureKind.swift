/// A kind of picture that can be told by a file's first bytes.
public enum PictureKind: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, avif, heic, tiff, bmp, jxl, jp2

    /// The number of bytes that suffice to tell: more than any signature has, and the brands that encoders write.
    public static let signatureLength = 64

    /// Recognizes a picture by its beginning; nil for anything else.
    public init?(firstBytes bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.signatureLength))
        guard let kind = Self.kind(of: bytes) else { return nil }
        self = kind
    }

    private static func kind(of bytes: [UInt8]) -> PictureKind? {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + signature.count && bytes[offset...].starts(with: signature)
        }
        func spells(_ word: StaticString, at offset: Int = 0) -> Bool {
            begins(
                Array(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)),
                at: offset
            )
        }
        switch bytes.first {
        // ITU-T T.81: the start of the image, and the first byte of another marker.
        case 0xFF where begins([0xFF, 0xD8, 0xFF]): return .jpeg
        // ISO/IEC 18181-1, and ISO/IEC 15444-1: streams without a container.
        case 0xFF where begins([0xFF, 0x0A]): return .jxl
        case 0xFF where begins([0xFF, 0x4F, 0xFF, 0x51]): return .jp2
        // PNG, section 5.2.
        case 0x89 where begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): return .png
        case UInt8(ascii: "G") where spells("GIF87a") || spells("GIF89a"): return .gif
        case UInt8(ascii: "R") where spells("RIFF") && spells("WEBP", at: 8): return .webp
        case UInt8(ascii: "B") where spells("BM"): return isBitmap(bytes) ? .bmp : nil
        // TIFF 6.0, section 2, and BigTIFF. A Canon RAW file (CR2) says so behind the header.
        case UInt8(ascii: "I") where begins([0x49, 0x49, 0x2A, 0]) || begins([0x49, 0x49, 0x2B, 0]),
            UInt8(ascii: "M") where begins([0x4D, 0x4D, 0, 0x2A]) || begins([0x4D, 0x4D, 0, 0x2B]):
            return spells("CR", at: 8) ? nil : .tiff
        // The signature boxes of ISO/IEC 18181-2 and of ISO/IEC 15444-1.
        case 0 where begins([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]): return .jxl
        case 0 where begins([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]): return .jp2
        case 0 where spells("ftyp", at: 4): return kind(ofBrands: bytes)
        default: return nil
        }
    }

    /// Returns whether a file that begins with BM is a bitmap: two letters alone are a text as well.
    ///
    /// The reserved bytes are zero, and the header has one of the lengths that there are ("BITMAPFILEHEADER" and
    /// "Bitmap Header Types" of the Windows documentation).
    private static func isBitmap(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 18 && bytes[6..<10].allSatisfy { $0 == 0 }
            && [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes[14]) && bytes[15..<18].allSatisfy { $0 == 0 }
    }

    /// Returns the kind of a file in boxes (ISO/IEC 14496-12, 4.3), by its brands; nil for films and the like.
    ///
    /// A brand for pictures in general (mif1, msf1) leaves it to the others that the file has.
    private static func kind(ofBrands bytes: [UInt8]) -> PictureKind? {
        let length = Int(bytes[2]) << 8 | Int(bytes[3])
        guard bytes.count >= 12, bytes[0...1].allSatisfy({ $0 == 0 }), length >= 16 else { return nil }
        func brand(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
        let others = stride(from: 16, through: min(length, bytes.count) - 4, by: 4).map(brand)
        func kind(_ brand: String) -> PictureKind? {
            switch brand {
            case "avif", "avis": .avif
            case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
            default: nil
            }
        }
        let major = brand(at: 8)
        if let kind = kind(major) { return kind }
        guard major == "mif1" || major == "msf1" || major == "mif2" else { return nil }
        return others.lazy.compactMap(kind).first ?? .heic
    }

    /// The usual extension, without its dot.
    public var ending: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .png, .gif, .webp, .avif, .heic, .bmp, .jxl, .jp2: rawValue
        }
    }

    /// The media type (IANA registry of media types).
    public var mediaType: String { "image/\(rawValue)" }

    /// The extensions that fit a file of this kind, in lower case.
    ///
    /// Several formats are JPEG or TIFF inside and have names of their own: pairs and spheres of pictures, most
    /// cameras' RAW files, and slides of microscopes.
    var endings: Set<String> {
        switch self {
        case .jpeg:
            ["jpg", "jpeg", "jpe", "jfif", "jfi", "jif", "pjpeg", "pjp", "mpo", "jps", "insp", "thm"]
        case .png: ["png", "apng"]
        case .gif: ["gif"]
        case .webp: ["webp"]
        case .avif: ["avif", "avifs"]
        case .heic: ["heic", "heif", "heics", "heifs", "hif"]
        case .tiff: Self.tiffEndings.union(Self.rawEndings)
        case .bmp: ["bmp", "dib"]
        case .jxl: ["jxl"]
        case .jp2: ["jp2", "j2k", "j2c", "jpc", "jpf", "jpx", "jpm", "jph", "jhc"]
        }
    }

    private static let tiffEndings: Set<String> = [
        "tif", "tiff", "btf", "tf8", "gtiff", "lsm", "svs", "ndpi", "scn", "stk", "gel", "bif", "qptiff",
        "flex",
    ]

    private static let rawEndings: Set<String> = [
        "3fr", "arw", "cr2", "dcr", "dcs", "dng", "erf", "fff", "gpr", "iiq", "k25", "kdc", "mef", "mos",
        "nef",
        "nrw", "orf", "pef", "raw", "rw2", "rwl", "sr2", "srf", "srw",
    ]

    /// The extensions that a picture's own takes the place of: those of other kinds of pictures, and of scripts and
    /// pages, which say how a server made it.
    static let replaced: Set<String> = allCases.reduce(
        into: [
            "ico", "svg", "psd", "tga", "php", "asp", "aspx", "cgi", "jsp", "do", "html", "htm",
        ]
    ) { $0.formUnion($1.endings) }
}
