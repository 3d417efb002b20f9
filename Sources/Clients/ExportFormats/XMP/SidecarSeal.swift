import Vocabulary

/// Marks sidecars of ours, so that one which nobody has changed since is known.
///
/// The toolkit's name (`x:xmptk`) contains a checksum of everything after it. A program that changes a
/// sidecar writes its own name there or leaves the checksum wrong, and from then on the file is its own.
/// The checksum is FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/), which is enough against
/// mistakes: whoever forges it only gets a sidecar of their own overwritten.
enum SidecarSeal {
    private static let opening = Array(
        "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n".utf8
    )
    private static let before = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\" x:xmptk=\"facefetch ".utf8)
    private static let after = Array("\">\n".utf8)
    private static let closing = Array("</x:xmpmeta>\n<?xpacket end=\"w\"?>\n".utf8)

    /// The bytes that every sidecar begins with.
    static let head = opening + before

    /// Returns a complete sidecar around its RDF.
    static func sealed(_ rdf: [UInt8]) -> [UInt8] {
        let rest = after + rdf + closing
        return head + Array(sum(rest[...]).utf8) + rest
    }

    /// Returns whether a sidecar is one of ours and unchanged.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        let start = head.count + 16
        guard bytes.count > start, bytes.starts(with: head) else { return false }
        return bytes[head.count..<start].elementsEqual(sum(bytes[start...]).utf8)
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum.hexText
    }
}

extension XMPSidecar {
    /// Returns whether facefetch wrote a sidecar and nobody has changed it since.
    public static func isOurs(_ bytes: [UInt8]) -> Bool { SidecarSeal.isWhole(bytes) }

    /// Returns whether bytes are the beginning of a sidecar of ours, or the whole of it.
    public static func isBegun(_ bytes: [UInt8]) -> Bool {
        let head = SidecarSeal.head
        return bytes.prefix(head.count).elementsEqual(head.prefix(bytes.count))
    }
}
