import JobCore
import Synchronization

/// The events of one turn, and their lines, which are put together once for all who write them.
public final class EventLines: Sendable {
    /// The events, in order.
    public let events: [JobEvent]

    private let made = Mutex<[UInt8]?>(nil)

    /// The events of a turn.
    public init(_ events: [JobEvent]) { self.events = events }

    /// The lines as UTF-8, each with its line feed.
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
