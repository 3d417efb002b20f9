import JobModel
import Vocabulary

extension Job {
    /// The fingerprint of the picture; nil if it has none, or isn't known.
    public var fingerprint: Fingerprint? { detection?.picture?.fingerprint }
}

extension JobDraft {
    /// Keeps the fingerprint of a document that was looked at before fingerprints were made; nil if there is too
    /// little in it, so that nobody looks for one again.
    ///
    /// It was made of the document with this SHA-256, in whose place another may be by now.
    mutating func keep(_ fingerprint: Fingerprint?, of sha256: String?, in context: inout JobContext) {
        guard job.path != nil, job.sha256 == sha256, job.detection?.outcome == .counted else {
            return context.refuse("its document is another by now, or gone")
        }
        guard job.detection?.picture != nil else {
            return context.refuse("nothing is known of its picture: look at it again with detect")
        }
        job.detection?.picture?.fingerprint = fingerprint
        job.detection?.picture?.isFlat = fingerprint == nil
    }
}
