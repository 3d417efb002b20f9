/// Looks through a picture's bytes, piece by piece, for regions that somebody has put into it.
///
/// It looks for the names that they can't do without, and parses nothing: XMP stands in pictures as it
/// is (XMP Specification Part 3, §1.1), and a name that is found without regions costs a sidecar alone.
public struct RegionSearch: Sendable {
    /// MWG's and Microsoft's namespaces, and IPTC's property.
    private static let names: [[UInt8]] = [
        "http://www.metadataworkinggroup.com/schemas/regions/",
        "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
        "ImageRegion>",
    ].map { Array($0.utf8) }

    private var tail: [UInt8] = []

    /// A search at the beginning of a file.
    public init() {}

    /// Whether a name stands in this piece, or between the one before and this.
    public mutating func finds(_ piece: ArraySlice<UInt8>) -> Bool {
        let longest = Self.names.map(\.count).max() ?? 0
        let seam = tail + piece.prefix(longest)
        tail = Array((piece.count < longest ? tail + piece : Array(piece.suffix(longest))).suffix(longest))
        return Self.stands(in: seam[...]) || Self.stands(in: piece)
    }

    private static func stands(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            names.contains { name in
                guard buffer.count >= name.count else { return false }
                // By the last byte first, which is rare in pictures' text and as rare as any elsewhere.
                return (0...buffer.count - name.count).contains { start in
                    buffer[start + name.count - 1] == name[name.count - 1] && buffer[start] == name[0]
                        && buffer[start..<start + name.count].elementsEqual(name)
                }
            }
        }
    }
}
