import DocumentStore
import JobModel
import Vocabulary

/// Keeps the thumbnails that detectors make while they look at documents.
struct Thumbnails: Sendable {
    /// The pictures that are kept.
    let cache: PictureCache
    /// Returns the mark of a document as it is now, for which it may wait for a disk.
    let mark: @Sendable (_ path: String) -> FileMark?
    /// Returns whether a job's document was removed by the daemon itself, which makes sure before that it is still
    /// the file that was hashed; it may wait for a disk.
    let wasEvicted: @Sendable (JobID) -> Bool

    /// Returns whether a thumbnail of a document would be kept.
    func areWanted(_ request: DetectionRequest) -> Bool {
        request.sha256 != nil && request.mark != nil && cache.isKeeping
    }

    /// Keeps a thumbnail, some time soon, unless the document is no longer the file that was hashed.
    ///
    /// A document may be removed to make room as soon as its result is known. Its thumbnail is what people see of it
    /// from then on.
    ///
    /// All detectors wait for who calls this, so the document's disk is asked later, by a thread of the cache.
    func keep(_ jpeg: [UInt8], of request: DetectionRequest) {
        guard let sha256 = request.sha256, let hashed = request.mark else { return }
        cache.keep(jpeg, sha256, .thumb) { [mark, wasEvicted] in
            guard let found = mark(request.path) else { return wasEvicted(request.job) }
            return found == hashed
        }
    }
}
