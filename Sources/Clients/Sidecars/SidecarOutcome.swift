import Glibc
import Vocabulary

/// The outcome for a picture's sidecar.
public enum SidecarOutcome: Hashable, Sendable {
    /// It was written, or written again with what is known now.
    case written
    /// It says what is known already.
    case unchanged
    /// The picture has no faces any more, so a sidecar of ours that named some was removed.
    case removed
    /// The picture has no faces, and no sidecar of ours.
    case nothing
    /// Nothing was written.
    case leftAlone(Reason)

    /// The reason why a picture gets no sidecar.
    public enum Reason: Hashable, Sendable {
        /// The size of the picture isn't known.
        case noSize
        /// The document can't be used.
        case document(StoredDocument.Unusable)
        /// There is a sidecar that somebody else wrote or changed.
        case foreign(path: String)
        /// The file with the sidecar's name is a document that was downloaded.
        case isDocument(path: String)
        /// Somebody has put regions into the picture.
        case hasRegions
        /// No file can have the sidecar's name, which is longer than the picture's.
        case nameTooLong
    }
}

extension SidecarOutcome.Reason {
    /// The reason as the end of a sentence.
    ///
    /// - Parameters:
    ///   - job: The id of the picture's job.
    ///   - shown: Returns a path as it can be shown.
    public func words(job: Int64, _ shown: (String) -> String) -> String {
        switch self {
        case .noSize:
            "the size of the picture is not known; \"facefetch detect \(JobID(job))\" finds it out."
        case .document(.missing(ELOOP)), .document(.missing(ENOTDIR)):
            "its document, or a folder of it, is a link now, which isn't followed."
        case .document(.missing(let number)):
            "its document can't be opened: \(String(cString: strerror(number)))."
        case .document(.changed): "its document is not what was stored."
        case .foreign(let path): "\(shown(path)) was written or changed by somebody else."
        case .isDocument(let path): "\(shown(path)) was downloaded, and stays as it is."
        case .hasRegions: "the picture has regions of its own."
        case .nameTooLong: "the name of its sidecar would be too long for a file."
        }
    }
}

/// A sidecar could not be written.
public struct SidecarFailure: Error, Hashable, Sendable {
    /// The path of the sidecar.
    public let path: String
    /// The system's error number.
    public let number: Int32

    /// True if the disk or the machine lacks something that comes back by itself.
    public var mayPass: Bool {
        [ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM].contains(number)
    }
}
