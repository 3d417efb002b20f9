/// Searches a picture's bytes, piece by piece, for regions that somebody has put into it.
///
/// It searches for the names that regions need, and parses nothing: XMP is embedded as plain text (XMP
/// Specification Part 3, §1.1), in whatever encoding (Part 1, §7.2). A picture that has the names but no regions
/// only gets no sidecar, and so does one whose XMP is compressed, in which nobody sees names.
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

    /// Those that end with a byte, by which they are found: none of these is common.
    private static let namesByEnd = Dictionary(grouping: names) { $0.last ?? 0 }
    private static let isEnd = (UInt8.min...UInt8.max).map { namesByEnd[$0] != nil }

    private var tail: [UInt8] = []

    /// Begins a search at the beginning of a file.
    public init() {}

    /// Returns whether a name is in this piece, or across its beginning and the end of the previous one.
    public mutating func finds(_ piece: ArraySlice<UInt8>) -> Bool {
        let longest = Self.names.map(\.count).max() ?? 0
        let seam = tail + piece.prefix(longest)
        tail = Array((piece.count < longest ? tail + piece : Array(piece.suffix(longest))).suffix(longest))
        return Self.stands(in: seam[...]) || Self.stands(in: piece)
    }

    private static func stands(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            isEnd.withUnsafeBufferPointer { isEnd in
                buffer.indices.contains { index in
                    guard isEnd[Int(buffer[index])] else { return false }
                    return namesByEnd[buffer[index], default: []].contains { name in
                        index + 1 >= name.count
                            && buffer[(index + 1 - name.count)...index].elementsEqual(name)
                    }
                }
            }
        }
    }
}
