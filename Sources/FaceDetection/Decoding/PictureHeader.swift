/// The header in front of a decoded picture's pixels, or of the reason why there are none, on the pipe from
/// a process that has read a stranger's bytes.
///
/// Whoever receives it believes nothing: ``init(bytes:workingSize:limits:)`` gives only what a
/// decoder could have made of a picture.
public enum PictureHeader: Hashable, Sendable {
    /// Pixels follow, three bytes each, row after row.
    case pixels(
        width: Int,
        height: Int,
        fullWidth: Int,
        fullHeight: Int,
        orientation: Int,
        format: PictureFormat
    )
    /// So many bytes of UTF-8 follow.
    case reason(length: Int)

    /// How many bytes a header has.
    public static let length = 28
    /// The longest reason, in bytes.
    public static let longestReason = 2048

    /// A header as it stands on the pipe: seven numbers of four bytes, the least first.
    public var bytes: [UInt8] {
        let numbers: [Int] =
            switch self {
            case .pixels(let width, let height, let fullWidth, let fullHeight, let orientation, let format):
                [1, width, height, fullWidth, fullHeight, orientation, format.number]
            case .reason(let length): [2, length, 0, 0, 0, 0, 0]
            }
        return numbers.flatMap { number in
            let number = UInt32(clamping: number)
            return (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
    }

    /// Reads a header; nil for what no decoder says that was asked for this working size.
    public init?(bytes: [UInt8], workingSize: Int, limits: PictureLimits = PictureLimits()) {
        guard bytes.count == Self.length else { return nil }
        let numbers = (0..<7).map { index in
            bytes[4 * index..<4 * index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let (width, height, fullWidth, fullHeight) = (numbers[1], numbers[2], numbers[3], numbers[4])
        switch numbers[0] {
        case 1:
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
                format: format
            )
        case 2:
            guard (1...Self.longestReason).contains(width), numbers[2...].allSatisfy({ $0 == 0 }) else {
                return nil
            }
            self = .reason(length: width)
        default: return nil
        }
    }

    /// How many bytes follow.
    public var bodyLength: Int {
        switch self {
        case .pixels(let width, let height, _, _, _, _): width * height * 3
        case .reason(let length): length
        }
    }
}

extension PictureFormat {
    /// How the format stands in a header: from 1, in the order in which formats are declared.
    fileprivate var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    fileprivate init?(number: Int) {
        guard Self.allCases.indices.contains(number - 1) else { return nil }
        self = Self.allCases[number - 1]
    }
}
