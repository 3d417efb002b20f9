import JobModel
import Vocabulary

/// Makes pictures of documents for people to look at, and fingerprints of those that have none.
public protocol PicturePort: Sendable {
    /// Returns a JPEG of a document in a size.
    ///
    /// If the calling task is cancelled, nobody needs the picture any more.
    func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer
    /// Returns a JPEG that is at hand of a document that is gone, by the SHA-256 of its content: in this size,
    /// or else in another; nil if there is none.
    func kept(_ sha256: String, like size: PictureSize) async -> [UInt8]?
    /// Returns the fingerprint of a document.
    ///
    /// If the calling task is cancelled, nobody needs it any more.
    func fingerprint(of document: ShownDocument) async -> FingerprintAnswer
}

extension PicturePort {
    /// Returns nil, since nothing is kept.
    public func kept(_ sha256: String, like size: PictureSize) async -> [UInt8]? { nil }
    /// Returns that none could be made.
    public func fingerprint(of document: ShownDocument) async -> FingerprintAnswer { .failed }
}

/// A document that someone wants to see.
public struct ShownDocument: Hashable, Sendable {
    /// The document's job.
    public var job: JobID
    /// The document's path.
    public var path: String
    /// The SHA-256 of its content, by which pictures are kept; nil if unknown.
    public var sha256: String?
    /// The mark of the document as it was hashed; nil if unknown.
    public var mark: FileMark?
    /// Who wants to see it; users take turns.
    public var user: UInt32?

    public init(job: JobID, path: String, sha256: String?, mark: FileMark? = nil, user: UInt32? = nil) {
        self.job = job
        self.path = path
        self.sha256 = sha256
        self.mark = mark
        self.user = user
    }
}

/// The outcome of a request for a picture.
public enum PictureAnswer: Hashable, Sendable {
    /// The JPEG.
    case made([UInt8])
    /// The document can't be read as a picture.
    case unreadable
    /// No picture could be made now; a later request may succeed.
    case failed
}

/// The outcome of a request for a fingerprint.
public enum FingerprintAnswer: Hashable, Sendable {
    /// The fingerprint; nil if there is too little in the picture.
    case made(Fingerprint?)
    /// The document can't be read as a picture.
    case unreadable
    /// Somebody has changed the document since it was stored.
    case changed
    /// None could be made now; a later request may succeed.
    case failed
}

/// A port that makes no pictures.
struct NoPictures: PicturePort {
    func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer { .failed }
}
