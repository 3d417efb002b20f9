import JobEngine
import JobModel

extension EventBus.Item {
    /// The approximate memory use in bytes, including texts that followers may share.
    var size: Int {
        switch self {
        case .event(let event): MemoryLayout<Self>.stride + event.kind.textLength
        case .progress, .missed: MemoryLayout<Self>.stride
        }
    }
}

extension JobEvent.Kind {
    fileprivate var textLength: Int {
        let parts = parts
        let count = { (text: String?) in text?.utf8.count ?? 0 }
        return count(parts.name) + count(parts.url) + count(parts.path) + count(parts.reason)
    }
}
