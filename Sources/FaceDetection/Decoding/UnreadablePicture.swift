/// A reason why a document can't be looked at, as a sentence for the person who has it.
public struct UnreadablePicture: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the document.
    public let description: String
    /// Why the document couldn't even be opened, as errno; 0 where it could.
    public let openingError: Int32

    init(_ description: String, openingError: Int32 = 0) {
        self.description = description
        self.openingError = openingError
    }

    /// A reason that a process has given which has read a stranger's bytes.
    init(foreign bytes: [UInt8]) {
        let characters = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(500).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: Unicode.Scalar(0xFFFD)
            default: scalar
            }
        }
        description = String(String.UnicodeScalarView(characters.compactMap { $0 }))
        openingError = 0
    }
}
