/// A fault of this program, as far as reports describe it.
///
/// Its parts are words of our own and numbers. No text that comes from elsewhere has a place here, so no URL, name
/// or path can get into a report.
public enum Fault: Hashable, Sendable {
    /// A child has ended, or had to be ended; `picture` is what it was looking at.
    case childEnded(Child, ChildEnd, picture: PictureFacts?)
    /// The job store was damaged, and is kept beside a new one.
    case storeSetAside(StoreDamage)
    /// A complete file could not become a document; `errorNumber` is the errno of what failed.
    case publishFailed(PublishStep, PublishError, errorNumber: Int32? = nil)
    /// A transfer waited for nothing, and was ended for that.
    case transferAtRest
    /// Parts of the daemon have not answered in time, so its watchdog isn't fed.
    case partsStuck([Part])
    /// The last run of the daemon ended while parts of it had not answered.
    case endedWhileStuck([Part])

    /// True if there is anything to report: a child that somebody has asked to end did as it should.
    ///
    /// Terminals and service managers send such signals to children, too (SIGHUP, SIGINT, SIGTERM).
    var isOurs: Bool {
        if case .childEnded(_, .signal(1), _) = self { return false }
        if case .childEnded(_, .signal(2), _) = self { return false }
        if case .childEnded(_, .signal(15), _) = self { return false }
        return true
    }

    /// A kind of child.
    public enum Child: String, CaseIterable, Sendable {
        case detector = "face detector"
        case pictureProcess = "picture process"
        case pageReader = "page reader"
    }

    /// The way a child has ended.
    public enum ChildEnd: Hashable, Sendable {
        /// A signal has ended it.
        case signal(Int32)
        /// A signal has ended the process that it had started for one picture.
        case decoderSignal(Int32)
        /// It has ended by itself, with this status.
        case status(Int32)
        /// It could not be started.
        case notStarted
        /// It broke the protocol, and was ended for that.
        case misbehaved
    }

    /// The damage of the store.
    public enum StoreDamage: String, CaseIterable, Sendable {
        case notADatabase = "not a database"
        case malformed = "malformed"
    }

    /// A step on the way of a complete file to a document.
    public enum PublishStep: String, CaseIterable, Sendable {
        /// Syncing and hashing it.
        case seal
        /// Giving it its name.
        case publish
    }

    /// The reason why such a step has failed.
    public enum PublishError: String, CaseIterable, Sendable {
        case storageError = "storage_error"
        case outOfResources = "out_of_resources"
        case other

        /// Creates it from the code of a job's failure; nil if that is no fault: a disk may be full.
        public init?(code: String) {
            guard code != "disk_full" else { return nil }
            self = PublishError(rawValue: code) ?? .other
        }
    }

    /// A part of the daemon that answers its watchdog.
    public enum Part: String, CaseIterable, Sendable {
        case engine = "the engine"
        case transfers = "the transfer thread"
        case control = "the control server"

        /// Returns the parts that are named in a sentence.
        public static func named(in sentence: String) -> [Part] {
            allCases.filter { sentence.contains($0.rawValue) }
        }
    }
}

/// The facts that are reported of a picture.
public struct PictureFacts: Hashable, Sendable {
    /// Its format.
    public var format: ReportedFormat
    /// Its length in bytes.
    public var bytes: Int64

    public init(format: ReportedFormat, bytes: Int64) { (self.format, self.bytes) = (format, bytes) }
}
