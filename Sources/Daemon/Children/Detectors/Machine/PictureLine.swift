import JobModel
import Vocabulary

/// The requests that wait for the process that makes pictures.
///
/// Medium and large pictures are for someone who has opened one, and come first. Thumbnails come in the
/// order in which people look at them, and otherwise in that of the requests.
struct PictureLine<Order: Sendable>: Sendable {
    private struct Waiting: Sendable {
        var id: Int64
        var job: JobID
        var order: Order
    }

    /// The most requests of each kind that wait; another one takes the place of the oldest.
    private let most: Int
    private var opened: [Waiting] = []
    private var thumbs: [Waiting] = []
    /// Nobody looks at fingerprints, so they come last.
    private var fingerprints: [Waiting] = []

    init(most: Int) { self.most = most }

    /// True if nothing waits.
    var isEmpty: Bool { opened.isEmpty && thumbs.isEmpty && fingerprints.isEmpty }

    /// Adds a request for a picture, or for a fingerprint without a size, and returns one that has to be refused for
    /// it.
    mutating func add(_ order: Order, id: Int64, job: JobID, _ size: PictureSize?) -> Order? {
        let waiting = Waiting(id: id, job: job, order: order)
        guard let size else {
            fingerprints.append(waiting)
            return fingerprints.count > most ? fingerprints.removeFirst().order : nil
        }
        if size == .thumb {
            thumbs.append(waiting)
            return thumbs.count > most ? thumbs.removeFirst().order : nil
        }
        opened.append(waiting)
        return opened.count > most ? opened.removeFirst().order : nil
    }

    /// Removes and returns the next request, given what people look at; nil if nothing waits.
    mutating func next(_ interests: [JobID: Interest]) -> Order? {
        if !opened.isEmpty { return opened.removeFirst().order }
        for interest in [Interest.visible, .near] where !interests.isEmpty {
            if let index = thumbs.firstIndex(where: { interests[$0.job] == interest }) {
                return thumbs.remove(at: index).order
            }
        }
        if !thumbs.isEmpty { return thumbs.removeFirst().order }
        return fingerprints.isEmpty ? nil : fingerprints.removeFirst().order
    }

    /// Removes a request; returns nil if it doesn't wait.
    mutating func remove(_ id: Int64) -> Order? {
        if let index = thumbs.firstIndex(where: { $0.id == id }) { return thumbs.remove(at: index).order }
        if let index = fingerprints.firstIndex(where: { $0.id == id }) {
            return fingerprints.remove(at: index).order
        }
        return opened.firstIndex(where: { $0.id == id }).map { opened.remove(at: $0).order }
    }

    /// Removes all requests.
    mutating func removeAll() -> [Order] {
        defer { (opened, thumbs, fingerprints) = ([], [], []) }
        return (opened + thumbs + fingerprints).map(\.order)
    }
}
