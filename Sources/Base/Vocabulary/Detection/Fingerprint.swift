/// A fingerprint of what a picture looks like: copies of it that differ in size, quality or format have one that
/// differs in few bits.
///
/// It is a perceptual hash by the discrete cosine transform, made by `FaceDetection`.
public struct Fingerprint: Hashable, Sendable {
    /// The bits, not all 0: that stands for no fingerprint where there is a number for each picture.
    public let bits: UInt64

    /// The number of hexadecimal digits as which it is written.
    public static let digits = 16
    /// The distances within which pictures can be asked for.
    public static let distances = 0...16
    /// The distance within which pictures look alike, where nobody asks for another one.
    public static let usualDistance = 6

    /// Creates a fingerprint of bits; nil for none at all.
    public init?(bits: UInt64) {
        guard bits != 0 else { return nil }
        self.bits = bits
    }

    /// Reads 16 hexadecimal digits in lower case; nil for anything else.
    public init?(hexadecimal text: String) {
        var bits: UInt64 = 0
        guard text.utf8.count == Self.digits else { return nil }
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            bits = bits << 4 | UInt64(digit)
        }
        self.init(bits: bits)
    }

    /// The fingerprint as 16 hexadecimal digits in lower case.
    public var hexadecimal: String { bits.hexText }

    /// Returns the number of bits in which two fingerprints differ.
    public func distance(to other: Fingerprint) -> Int { (bits ^ other.bits).nonzeroBitCount }
}
