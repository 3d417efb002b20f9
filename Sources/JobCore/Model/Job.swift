/// One URL, on its way to one document and one detection result: everything
/// about it that survives a crash.
@dynamicMemberLookup
public struct Job: Hashable, Sendable, Identifiable {
    /// The job's number, by which people and programs name it.
    public let id: JobID
    /// The batch it came with.
    public let batch: BatchID
    /// When the batch was accepted; the zero of every "elapsed".
    public let createdAt: Moment
    /// Where the file comes from.
    public var url: JobURL
    /// Where the job stands.
    public var state: JobState = .queued
    /// The document's name: as asked for or derived from the URL at first, as published in the end.
    public var name: String
    /// True when the name was asked for, and no server is to choose another.
    public var hasGivenName = false
    /// The document's absolute path, once it is stored.
    public var path: String?
    /// Higher goes first; −100 to 100.
    public var priority: Int = 0
    /// What else was asked for.
    public var options = JobOptions()

    /// Bytes in the partial, as of the last commit.
    public var bytes: Int64 = 0
    /// The most bytes that any try came to; what goes beyond is new.
    public var furthestBytes: Int64 = 0
    /// Bytes of the partial that are on the disk for good; what a power cut leaves at least.
    public var durableBytes: Int64 = 0
    /// The run of the machine in which the partial was last written to: while
    /// that goes on, its length can be believed, after it only ``durableBytes``.
    public var partialBoot: String?
    /// What the partial holds for certain, where it is fetched in segments and
    /// may have holes; nil for one whose length says it.
    public var segments: SegmentMap?
    /// Length of the whole file, where the server told.
    public var totalBytes: Int64?
    /// What a resume can prove itself with.
    public var validator: Validator?
    /// True when only the closing connection said where the file ends.
    public var lengthUnproven = false
    /// The highest step of ten percent that was logged, 0 to 10.
    public var loggedSteps = 0
    /// Bytes at the last progress line of a file of unknown length.
    public var loggedBytes: Int64 = 0
    /// True once `started download` was logged.
    public var hasStarted = false
    /// True once `finished download` was logged of the partial as it is.
    public var hasFinished = false
    /// Transfers begun so far.
    public var attempts = 0
    /// Tries in a row that brought nothing new; what back-off counts.
    public var fruitlessTries = 0

    /// Seconds that those tries took, with the waits between them; what giving up counts.
    public var struggled: Double = 0

    /// Why and until when the job waits, in state `waiting`.
    public var waiting: Waiting?
    /// Why the job failed, in state `failed`.
    public var failure: JobFailure?
    /// True once the log said that the job waits for room on the disk.
    public var toldOfFullDisk = false
    /// The name it is about to be published under, committed before the rename.
    public var reservation: Reservation?
    /// The document's SHA-256 in lower-case hex: known when it is stored, or soon after that of a large one.
    public var sha256: String?
    /// The document as it was when it was stored: while it is, it has that ``sha256``.
    ///
    /// Nil where that isn't known, as of one that a crash kept us from seeing.
    public var documentMark: FileMark?
    /// What came of looking for faces.
    public var detection: DetectionResult?
    /// That somebody wants it looked at again, until that is done.
    public var detectionDemand: DetectionDemand?
    /// How often a detector has been asked to look since somebody last learned what came of it;
    /// written down before it is asked.
    public var detectionAttempts = 0
    /// True once `deferred face detection` was logged.
    public var detectionDeferred = false
    /// When the job came to a final state.
    public var finishedAt: Moment?

    /// A job as it is when accepted.
    public init(id: JobID, batch: BatchID, createdAt: Moment, url: JobURL, name: String) {
        self.id = id
        self.batch = batch
        self.createdAt = createdAt
        self.url = url
        self.name = name
    }

    /// The reason why a job waits, and the end of its waiting.
    public struct Waiting: Hashable, Sendable {
        /// What the last try ended with.
        public var reason: JobFailure
        /// When the next try may begin.
        public var until: Moment

        /// A reason and a moment.
        public init(reason: JobFailure, until: Moment) {
            self.reason = reason
            self.until = until
        }
    }

    /// A name taken for a partial before it is renamed, and how to know that file again.
    public struct Reservation: Hashable, Sendable {
        /// The document's name in the documents directory.
        public var name: String
        /// The partial, as it was sealed.
        public var sealed: SealedPartial

        /// A name for a sealed partial.
        public init(name: String, sealed: SealedPartial) {
            self.name = name
            self.sealed = sealed
        }
    }
}

/// A file under its final name.
public struct Document: Hashable, Sendable {
    /// Where it is; absolute.
    public var path: String
    /// Length in bytes.
    public var length: Int64
    /// The file system's number for the file; nil where that is not known any more.
    public var inode: UInt64?

    /// What is known of a published file.
    public init(path: String, length: Int64, inode: UInt64? = nil) {
        self.path = path
        self.length = length
        self.inode = inode
    }
}

/// A partial that is complete and on the disk for good.
public struct SealedPartial: Hashable, Sendable {
    /// The file system's number for the file.
    public var inode: UInt64
    /// Length in bytes.
    public var length: Int64
    /// SHA-256 in lower-case hex; nil when that is made after publishing.
    public var sha256: String?
    /// When it was last written to, in nanoseconds since 1970; nil after a restart.
    public var modified: Int64?

    /// What is known of a synced partial.
    public init(inode: UInt64, length: Int64, sha256: String?, modified: Int64? = nil) {
        self.modified = modified
        self.inode = inode
        self.length = length
        self.sha256 = sha256
    }
}
