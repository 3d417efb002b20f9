import JobCore

extension Outbox.Entry {
    /// About how many bytes of memory it takes, its texts included, which followers may share.
    var size: Int {
        switch self {
        case .event(let event): MemoryLayout<Self>.stride + event.kind.textLength
        case .progress, .missed: MemoryLayout<Self>.stride
        }
    }
}

extension JobEvent.Kind {
    fileprivate var textLength: Int {
        switch self {
        case .started(let url): url.utf8.count
        case .progressed(let name, _), .received(let name, _), .resumed(let name, _, _), .paused(let name),
            .continued(let name), .cancelled(let name), .detectionStarted(let name),
            .detectionFinished(let name, _, _), .detectionDeferred(let name),
            .detectionFailed(let name, _, _):
            name.utf8.count
        case .restarted(let name, let reason): name.utf8.count + reason.utf8.count
        case .finished(let url, let path): url.utf8.count + path.utf8.count
        case .stored(let name, let path): name.utf8.count + path.utf8.count
        case .waiting(let name, _, let reason): name.utf8.count + reason.message.utf8.count
        case .failed(let url, let failure): url.utf8.count + failure.message.utf8.count
        }
    }
}
