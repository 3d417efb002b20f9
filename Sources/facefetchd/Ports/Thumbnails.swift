import DocumentStore
import JobCore

/// Keeps the thumbnails that detectors make while they look at documents.
struct Thumbnails: Sendable {
    /// The pictures that are kept.
    let cache: PictureCache
    /// Returns the mark of a document as it is now, for which it may wait for a disk.
    let mark: @Sendable (_ path: String) -> FileMark?

    /// Returns whether a thumbnail of a document would be kept.
    func areWanted(_ request: DetectionRequest) -> Bool {
        request.sha256 != nil && request.mark != nil && cache.isKeeping
    }

    /// Keeps a thumbnail, some time soon, unless the document is no longer the file that was hashed.
    ///
    /// All detectors wait for who calls this, so the document's disk is asked later, by a thread of the cache.
    func keep(_ jpeg: [UInt8], of request: DetectionRequest) {
        guard let sha256 = request.sha256, let hashed = request.mark else { return }
        cache.keep(jpeg, sha256, .thumb) { [mark] in mark(request.path) == hashed }
    }
}
