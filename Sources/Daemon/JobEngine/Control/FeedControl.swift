import JobModel
import Vocabulary

/// The engine's interface for a part that brings work in by itself.
///
/// Every call returns after what it did is durable.
public protocol FeedControl: Sendable {
    /// Accepts a batch, all of it or nothing, and with it what is written of its source.
    ///
    /// - Throws: ``ControlError``; nothing was written then, unless the daemon is stopping.
    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch

    /// Writes what concerns a source, where no job comes of it.
    ///
    /// - Throws: ``ControlError``; nothing was written then, unless the daemon is stopping.
    func keep(_ write: SourceWrite) async throws(ControlError)

    /// Performs a steering action on a job.
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job

    /// True if no transfer is begun now: by the hours, the connection, or for lack of room.
    ///
    /// This never waits.
    var holdsTransfers: Bool { get }

    /// True if no server can be reached, as far as is known.
    ///
    /// This never waits.
    var isOffline: Bool { get }

    /// The bus on which events are published as they happen.
    var events: EventBus { get }
}
