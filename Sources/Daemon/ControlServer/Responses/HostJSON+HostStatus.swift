import ControlAPI
import JobModel
import Vocabulary

extension HostJSON {
    /// Puts how a host stands into the words of the API.
    init(_ status: HostStatus) {
        self.init(
            host: status.host,
            active: status.active,
            queued: status.queued,
            waiting: status.waiting.map {
                WaitingJSON(kind: .known($0.kind), reason: $0.reason, until: $0.until?.wall.rfc3339)
            },
            pace: status.pace?.text,
            streams: status.streams
        )
    }
}
