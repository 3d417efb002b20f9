/// Searches a picture's bytes, piece by piece, for regions that somebody has put into it.
///
/// It searches for the names that regions need, and parses nothing: XMP is embedded as plain text (XMP
/// Specification Part 3, §1.1), in whatever encoding (Part 1, §7.2). A picture that has the names but no regions
/// only gets no sidecar, and so does one whose XMP is compressed, in which nobody sees names.
///
/// What doesn't fit into one segment of a JPEG goes on in others, cut anywhere (XMP Specification Part 3,
/// §1.1.3.1): a name is found across such a cut, too.
public struct RegionSearch: Sendable {
    /// MWG's and Microsoft's namespaces, and IPTC's property.
    private static let texts = [
        "http://www.metadataworkinggroup.com/schemas/regions/",
        "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
        "ImageRegion>",
    ]

    /// The texts in UTF-8 and UTF-16, and how compressed XMP begins: in PNG by a keyword and a flag (PNG
    /// Specification, §11.3.3.4), in JPEG XL by a box and the type of what is in it (ISO/IEC 18181-2, §9.3).
    private static let names: [[UInt8]] =
        texts.map { Array($0.utf8) }
        + texts.map { $0.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
        + texts.map { $0.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }.dropLast() }
        + ["XML:com.adobe.xmp\u{0}\u{1}", "brobxml"].map { Array($0.utf8) }

    /// Begins the contents of a segment in which XMP goes on; a zero follows.
    private static let continuation = Array("http://ns.adobe.com/xmp/extension/".utf8)
    /// The length of what stands before it in a segment: the marker and the length.
    private static let lengthBefore = 4
    /// The length of what stands between it and the XMP: the zero, the digest of the whole, its length, and
    /// the place in it.
    private static let lengthAfter = 1 + 32 + 4 + 4

    /// Those that end with a byte, by which they are found: none of these is common.
    private static let namesByEnd = Dictionary(grouping: names + [continuation]) { $0.last ?? 0 }
    private static let isEnd = (UInt8.min...UInt8.max).map { namesByEnd[$0] != nil }
    private static let longest = names.map(\.count).max() ?? 0
    /// A name that is cut, with all that stands between its parts.
    private static let longestCut = 2 * longest + lengthBefore + continuation.count + lengthAfter

    private var tail: [UInt8] = []

    /// Begins a search at the beginning of a file.
    public init() {}

    /// Returns whether a name is in this piece, or across its beginning and the end of the previous one.
    public mutating func finds(_ piece: ArraySlice<UInt8>) -> Bool {
        let seam = tail + piece.prefix(Self.longestCut)
        tail = Array(
            (piece.count < Self.longestCut ? tail + piece : Array(piece.suffix(Self.longestCut)))
                .suffix(Self.longestCut)
        )
        return Self.stands(in: seam[...]) || Self.stands(in: piece)
    }

    private static func stands(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            isEnd.withUnsafeBufferPointer { isEnd in
                buffer.indices.contains { index in
                    guard isEnd[Int(buffer[index])] else { return false }
                    return namesByEnd[buffer[index], default: []].contains { name in
                        let start = index + 1 - name.count
                        guard start >= 0, buffer[start...index].elementsEqual(name) else { return false }
                        return name != continuation || isCut(buffer, at: start)
                    }
                }
            }
        }
    }

    /// Returns whether a name is cut where XMP goes on in another segment.
    private static func isCut(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        let end = start - lengthBefore
        let rest = start + continuation.count + lengthAfter
        guard end > 0, rest < bytes.count else { return false }
        let joined =
            Array(bytes[max(0, end - longest)..<end]) + bytes[rest..<min(rest + longest, bytes.count)]
        return joined.indices.contains { index in
            isEnd[Int(joined[index])]
                && names.contains { name in
                    index + 1 >= name.count
                        && joined[(index + 1 - name.count)...index].elementsEqual(name)
                }
        }
    }
}
