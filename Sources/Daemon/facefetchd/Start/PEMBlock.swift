import FoundationEssentials

/// A block of a file in PEM (RFC 7468): its label and what is encoded in it.
struct PEMBlock: Hashable {
    /// The label, such as `CERTIFICATE`.
    var label: String
    /// The content, in DER.
    var content: [UInt8]
    /// True if a passphrase is needed for it (RFC 1421 §4.6.1.1, RFC 7468 §11).
    var isEncrypted: Bool

    /// True if it is a certificate, also one with what OpenSSL says of whom it is trusted for.
    var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) }

    /// Returns the blocks of a text, between which there may be anything; nil where one is broken.
    static func all(in bytes: [UInt8]) -> [PEMBlock]? {
        var blocks: [PEMBlock] = []
        var open: (label: String, text: [UInt8], isEncrypted: Bool)?
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let label = label(of: line, "-----BEGIN ") {
                guard open == nil else { return nil }
                open = (label, [], label.hasPrefix("ENCRYPTED "))
            } else if let label = label(of: line, "-----END ") {
                guard let block = open, block.label == label,
                    let content = Data(base64Encoded: Data(block.text)), !content.isEmpty
                else { return nil }
                blocks.append(
                    PEMBlock(label: label, content: Array(content), isEncrypted: block.isEncrypted)
                )
                open = nil
            } else if open != nil {
                // Fields in front of what is encoded (RFC 1421 §4.6).
                if line.contains(UInt8(ascii: ":")) {
                    if String(decoding: line, as: UTF8.self).contains("ENCRYPTED") {
                        open?.isEncrypted = true
                    }
                } else {
                    open?.text += line.filter { $0 != 0x20 && $0 != 0x09 }
                }
            }
        }
        return open == nil ? blocks : nil
    }

    private static func label(of line: ArraySlice<UInt8>, _ front: String) -> String? {
        guard line.starts(with: front.utf8) else { return nil }
        let text = String(decoding: line.dropFirst(front.utf8.count), as: UTF8.self)
        guard let end = text.firstRange(of: "-----") else { return nil }
        return String(text[..<end.lowerBound])
    }
}
