import JobCore

/// Makes documents into pictures to show.
///
/// A task that is cancelled has gone, and needs none any more.
public protocol PicturePort: Sendable {
    /// Returns a JPEG of a document in a size.
    ///
    /// - Parameters:
    ///   - path: The document.
    ///   - sha256: What is in it, where that is known: equal bytes look the same.
    ///   - size: The size.
    func picture(of path: String, sha256: String?, _ size: PictureSize) async -> PictureAnswer
}

/// What came of a request for a picture.
public enum PictureAnswer: Hashable, Sendable {
    /// The JPEG.
    case made([UInt8])
    /// The document is no picture that can be read.
    case unreadable
    /// Nothing could be made of it now.
    case failed
}

/// Makes none.
struct NoPictures: PicturePort {
    func picture(of path: String, sha256: String?, _ size: PictureSize) async -> PictureAnswer { .failed }
}
