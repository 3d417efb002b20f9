/// The reason why a document can't be looked at, as part of a sentence for people.
public struct UnreadablePicture: Error, Hashable, CustomStringConvertible {
    /// The problem with the document.
    public let description: String
    /// The errno if the document could not even be opened, otherwise 0.
    public let openingError: Int32

    /// The reason for one whose decoder ran out of memory.
    public static let tooMuchMemory = UnreadablePicture("takes more memory to decode than a picture may")
    /// The reason for one whose decoder ran out of time.
    public static let tooMuchTime = UnreadablePicture("takes more time to decode than a picture may")

    /// True if less of the picture could perhaps be decoded, such as the picture in a smaller size.
    var isLack: Bool { self == .tooMuchMemory || self == .tooMuchTime }

    init(_ description: String, openingError: Int32 = 0) {
        self.description = description
        self.openingError = openingError
    }

    /// Creates a reason from one given by a process that has read a stranger's bytes.
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
