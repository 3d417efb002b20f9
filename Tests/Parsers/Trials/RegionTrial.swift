@testable import ExportFormats

/// A picture's bytes, in which regions are looked for, and those of a sidecar that may be ours.
enum RegionTrial {
    private static let names = [
        "http://www.metadataworkinggroup.com/schemas/regions/",
        "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
        "ImageRegion>",
    ].map { Array($0.utf8) }

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        try checkSidecar(bytes)
        // A file is read in pieces of any length; the first byte says of which.
        let stride = Int(bytes.first ?? 0) + 1
        var search = RegionSearch()
        var isFound = false
        for start in Swift.stride(from: 0, to: bytes.count, by: stride) where !isFound {
            isFound = search.finds(bytes[start..<min(start + stride, bytes.count)])
        }
        let ends = bytes.indices.lazy.compactMap { start in
            names.first { bytes[start...].starts(with: $0) }.map { start + $0.count }
        }
        try promise(
            isFound == (ends.first != nil || isCut(bytes)),
            "in pieces of \(stride) there are \(isFound ? "" : "no ")regions, and as a whole it's not so"
        )
        return ends.first.map { String(decoding: bytes[$0...], as: UTF8.self) }
    }

    /// Returns whether a name is there without the beginning of a segment in which XMP goes on.
    private static func isCut(_ bytes: [UInt8]) -> Bool {
        let continuation = Array("http://ns.adobe.com/xmp/extension/".utf8)
        return bytes.indices.contains { start in
            guard start > 4, bytes[start...].starts(with: continuation) else { return false }
            let rest = bytes.dropFirst(start + continuation.count + 41)
            return names.contains { name in
                (1..<name.count).contains { count in
                    bytes[..<(start - 4)].suffix(count).elementsEqual(name.prefix(count))
                        && rest.starts(with: name.dropFirst(count))
                }
            }
        }
    }

    /// Checks that what is ours is no longer when a byte of it is another.
    private static func checkSidecar(_ bytes: [UInt8]) throws(BrokenPromise) {
        let sealed = SidecarSeal.sealed(bytes)
        try promise(XMPSidecar.isOurs(sealed), "what we have sealed isn't ours")
        var changed = sealed
        changed[Int(bytes.first ?? 0) * sealed.count / 256] ^= 1
        try promise(!XMPSidecar.isOurs(changed), "what somebody has changed is ours")
        if XMPSidecar.isOurs(bytes) {
            try promise(!XMPSidecar.isOurs(bytes + [0x20]), "a longer one is ours")
        }
    }
}
