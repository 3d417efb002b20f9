import JobModel
import Synchronization

/// The events of one turn with their lines, which are formatted once for all sinks.
public final class EventLines: Sendable {
    /// The events in order.
    public let events: [JobEvent]

    private let made = Mutex<[UInt8]?>(nil)

    public init(_ events: [JobEvent]) { self.events = events }

    /// The lines as UTF-8, each ending in a line feed.
    public var text: [UInt8] {
        made.withLock { made in
            if let made { return made }
            var text = LogText()
            for event in events {
                text.append(lineOf: event)
                text.append(0x0A)
            }
            made = text.bytes
            return text.bytes
        }
    }
}
