/// Why a document can't be looked at, as a sentence for the person who has it.
public struct UnreadablePicture: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the document.
    public let description: String

    init(_ description: String) { self.description = description }

    /// A reason that a process has given which has read a stranger's bytes.
    init(foreign bytes: [UInt8]) {
        let characters = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(500).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: Unicode.Scalar(0xFFFD)
            default: scalar
            }
        }
        description = String(String.UnicodeScalarView(characters.compactMap { $0 }))
    }
}
