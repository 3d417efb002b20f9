/// Something that happens to the daemon from outside, at a time that the seed has drawn.
enum Step: Hashable, Sendable, Codable {
    /// A person adds a batch: for each job the number of its host, its path and its priority.
    case add(batch: Int, [Item], lease: Int?)
    /// A person steers a job: the one at this place among those for which it makes sense.
    case steer(Steering, place: Int)
    /// A person steers all jobs for which it makes sense.
    case steerAll(Steering)
    /// A person forgets jobs that have ended.
    case forget(share: Double)
    /// A person opens the detection gate, or holds it.
    case gate(open: Bool)
    /// A person ends the hold of a host.
    case release(host: Int)
    /// A person changes the settings.
    case reload(SimulatedSettings)
    /// Somebody looks at jobs, for so many renewals.
    case look(place: Int, count: Int)
    /// A client renews the lease of a batch, or lets it lapse.
    case renew(batch: Int)
    /// A person adds a source that reads a list.
    case follow(list: Int)
    /// A person has a source look at once.
    case poll(list: Int)
    /// A person asks a source for more.
    case more(list: Int)
    /// A person pauses a source for a while.
    case pauseList(list: Int, seconds: Double)
    /// The daemon is killed after so many further actions of its, and started again.
    case kill(afterActions: Int, restartsAfter: Double)
    /// The machine loses power, and is started again.
    case powerCut(lasts: Double)
    /// The daemon is stopped as it should be, and started again.
    case stop(restartsAfter: Double)
    /// Nothing gets through to any host.
    case lineDown(seconds: Double)
    /// The documents' disk is full.
    case diskFull(seconds: Double)
    /// Work that the documents' disk is given doesn't come back.
    case diskHangs(seconds: Double)
    /// Nothing can be written to the documents' disk.
    case diskReadOnly(seconds: Double)
    /// The store's disk is full.
    case storeFull(seconds: Double)
    /// The wall clock is set by so many seconds.
    case clockSet(by: Double)
    /// The machine is suspended.
    case suspend(seconds: Double)

    /// A job of a batch.
    struct Item: Hashable, Sendable, Codable {
        var host: Int
        var path: Int
        var priority: Int
    }

    /// A way to steer.
    enum Steering: String, CaseIterable, Sendable, Codable {
        case pause, resume, cancel, retry, raise, detect
        /// Has a document looked at again, and changes their mind at once.
        case reconsider
    }
}

/// A step with its time, in seconds since the beginning.
struct TimedStep: Hashable, Sendable, Codable {
    var at: Double
    var step: Step
}

/// The settings that a scenario changes.
struct SimulatedSettings: Hashable, Sendable, Codable {
    /// The most transfers, and of one host.
    var total = 16
    var perHost = 6
    /// The most transfers beyond those, at hosts that bring nothing or haven't been tried.
    var trials = 1024
    /// The most requests that a host has in hand.
    var ahead = 0
    /// The most documents that are looked at at once.
    var detections = 2
    /// The most tries of a job in a row.
    var maximumTries = 20
    /// The jobs of a long list that are handled in a turn.
    var sliceSize = 2000
}
