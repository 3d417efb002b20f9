/// Searches a picture's bytes, piece by piece, for regions that somebody has put into it.
///
/// It searches for the names that regions need, and parses nothing: XMP is embedded as plain text (XMP
/// Specification Part 3, §1.1). A picture that has the names but no regions only gets no sidecar.
public struct RegionSearch: Sendable {
    /// MWG's and Microsoft's namespaces, and IPTC's property.
    private static let names: [[UInt8]] = [
        "http://www.metadataworkinggroup.com/schemas/regions/",
        "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
        "ImageRegion>",
    ].map { Array($0.utf8) }

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
            names.contains { name in
                guard buffer.count >= name.count else { return false }
                // The last byte is compared first: it is rare in text, and no more common than others elsewhere.
                return (0...buffer.count - name.count).contains { start in
                    buffer[start + name.count - 1] == name[name.count - 1] && buffer[start] == name[0]
                        && buffer[start..<start + name.count].elementsEqual(name)
                }
            }
        }
    }
}
