import JobModel

extension TransferQueue {
    /// The data of a job that waits for a permit.
    struct Queued: Hashable, Sendable {
        var host: Int32
        var priority: Int32
        /// The serial number of the job's latest entry.
        var serial: UInt32
        var flow: UInt32
    }

    /// The data of a job that has a permit.
    struct Active: Sendable {
        var host: Int32
        var priority: Int32
        /// True if it went ahead of others only because someone might soon look at it.
        var isPrefetch: Bool
        var flow: UInt32
        /// The moment at which it got the permit, if known.
        var since: Moment?
        /// The number of bytes that are there, as far as its flow was charged for them.
        var bytes: Int64 = 0
        /// The number of bytes that were there when its host last brought something by it.
        var marked: Int64 = 0
        /// True if its request was answered, and if it has brought something.
        var isAnswered = false
        var hasBrought = false
        /// True if it waits by a rate of its own rather than for the line.
        var hasOwnRate = false
        /// The permit's number, in the order in which they were given.
        var number = 0
        /// True if it was begun beside as many as there may be, since hosts are silent.
        var isTrial = false
        /// True if it was asked back in case that its request waits for another transfer of its host.
        var isRecalled = false
        /// True if its request was never sent.
        var isUnsent = false
        /// The moment from which on those that follow at a host which has asked to wait don't wait for it any more; nil
        /// until it is answered.
        var settlesAt: Moment?
    }
}
