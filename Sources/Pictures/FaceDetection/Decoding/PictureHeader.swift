import Vocabulary

/// The header sent ahead of a decoded picture's pixels, or of the reason why there are none, by a
/// process that has read a stranger's bytes.
///
/// The receiver trusts nothing: ``init(bytes:workingSize:limits:)`` only accepts what a decoder could
/// have made of a picture.
public enum PictureHeader: Hashable, Sendable {
    /// Pixels follow, three bytes each, row by row.
    case pixels(
        width: Int,
        height: Int,
        fullWidth: Int,
        fullHeight: Int,
        orientation: Int,
        format: PictureFormat,
        hasProfile: Bool = false,
        isSubsampled: Bool = false,
        isDamaged: Bool = false
    )
    /// A reason of this many bytes of UTF-8 follows.
    case reason(length: Int)

    /// The length of a header in bytes.
    public static let length = 28
    /// The longest reason in bytes.
    public static let longestReason = 2048

    /// The header as sent: seven numbers of four bytes, little-endian.
    public var bytes: [UInt8] {
        let numbers: [Int] =
            switch self {
            case .pixels(
                let width,
                let height,
                let fullWidth,
                let fullHeight,
                let orientation,
                let format,
                let hasProfile,
                let isSubsampled,
                let isDamaged
            ):
                [
                    1 | (hasProfile ? 2 : 0) | (isSubsampled ? 4 : 0) | (isDamaged ? 8 : 0), width, height,
                    fullWidth, fullHeight, orientation, format.number,
                ]
            case .reason(let length): [2, length, 0, 0, 0, 0, 0]
            }
        return numbers.flatMap { number in
            let number = UInt32(clamping: number)
            return (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
    }

    /// Reads a header; nil for anything that no decoder would send for this working size.
    public init?(bytes: [UInt8], workingSize: Int, limits: PictureLimits = PictureLimits()) {
        guard bytes.count == Self.length else { return nil }
        let numbers = (0..<7).map { index in
            bytes[4 * index..<4 * index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let (width, height, fullWidth, fullHeight) = (numbers[1], numbers[2], numbers[3], numbers[4])
        switch numbers[0] {
        case 1, 3, 5, 7, 9, 11, 13, 15:
            guard (1...workingSize).contains(width), (1...workingSize).contains(height),
                fullWidth >= width, fullHeight >= height, fullWidth <= limits.pixels / fullHeight
            else { return nil }
            guard (1...8).contains(numbers[5]), let format = PictureFormat(number: numbers[6]) else {
                return nil
            }
            self = .pixels(
                width: width,
                height: height,
                fullWidth: fullWidth,
                fullHeight: fullHeight,
                orientation: numbers[5],
                format: format,
                hasProfile: numbers[0] & 2 != 0,
                isSubsampled: numbers[0] & 4 != 0,
                isDamaged: numbers[0] & 8 != 0
            )
        case 2:
            guard (1...Self.longestReason).contains(width), numbers[2...].allSatisfy({ $0 == 0 }) else {
                return nil
            }
            self = .reason(length: width)
        default: return nil
        }
    }

    /// The width of the picture that follows; 0 for a reason.
    public var width: Int {
        switch self {
        case .pixels(let width, _, _, _, _, _, _, _, _): width
        case .reason: 0
        }
    }

    /// The number of bytes that follow.
    public var bodyLength: Int {
        switch self {
        case .pixels(let width, let height, _, _, _, _, _, _, _): width * height * 3
        case .reason(let length): length
        }
    }
}

extension PictureFormat {
    /// The number of the format in a header: from 1, in the order of declaration.
    fileprivate var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    fileprivate init?(number: Int) {
        guard Self.allCases.indices.contains(number - 1) else { return nil }
        self = Self.allCases[number - 1]
    }
}

/// The limits on a picture, applied to its header before anything is decoded.
public struct PictureLimits: Sendable {
    /// The most pixels of a page: a gigapixel.
    public var pixels = 1_000_000_000
    /// The most bytes for pictures that must be held in memory as a whole while they are decoded, such
    /// as progressive JPEGs and interlaced PNGs: 1 GiB.
    public var wholePictureBytes = 1 << 30
    /// The most bytes of a camera's RAW file, which has to be in memory for its preview: 1 GiB, five times what
    /// the largest sensors make.
    public var rawFileBytes = 1 << 30

    /// Creates the default limits.
    public init() {}

    /// The reason why a picture of this size is refused.
    func tooManyPixels(_ width: Int, _ height: Int) -> UnreadablePicture {
        UnreadablePicture("has \(width) x \(height) pixels; the limit is \(pixels)")
    }
}
