import Vocabulary

/// One URL on its way to one document and one detection result: everything about it that survives a
/// crash.
@dynamicMemberLookup
public struct Job: Hashable, Sendable, Identifiable {
    /// The job's number, by which people and programs refer to it.
    public private(set) var id: JobID
    /// The batch it came with.
    public let batch: BatchID
    /// The moment at which the batch was accepted; elapsed times count from here.
    public let createdAt: Moment
    /// The URL of the file.
    public var url: JobURL
    /// The job's state.
    public var state: JobState = .queued
    /// The document's name: at first as asked for or derived from the URL, in the end as published.
    public var name: String
    /// True if the request gave the name, so that no server may choose another.
    public var hasGivenName = false
    /// The folder in which the document was published; the documents directory itself before that.
    public var publishedFolder = DocumentFolder()
    /// The folder that the document is in or is asked for in; nil if it is the documents directory itself, or isn't
    /// known yet.
    public var shownFolder: DocumentFolder? {
        guard publishedFolder.isTop else { return publishedFolder }
        return path == nil && evictedAt == nil ? options.folder : nil
    }
    /// The document's absolute path, once it is stored.
    public var path: String?
    /// The priority, from −100 to 100; higher goes first.
    public var priority: Int = 0
    /// The request's other options.
    public var options: JobOptions {
        get { asked ?? JobOptions() }
        set { asked = newValue == JobOptions() ? nil : newValue }
    }
    /// ``options``; nil for none.
    @Boxed private var asked: JobOptions?

    /// The number of bytes in the partial, as of the last commit.
    public var bytes: Int64 = 0
    /// The most bytes that any attempt got; only bytes beyond them count as progress.
    public var furthestBytes: Int64 = 0
    /// The number of bytes of the partial that have been synced, which survive a power cut.
    public var durableBytes: Int64 = 0
    /// The run of the machine in which the partial was last written to.
    ///
    /// During that run its length can be trusted; after it, only ``durableBytes``.
    public var partialBoot: String?
    /// The synced parts of a partial that is fetched in segments and may have holes; nil for one without
    /// holes, whose length tells.
    public var segments: SegmentMap?
    /// The length of the whole file in bytes, if the server announced it.
    public var totalBytes: Int64?
    /// The proof of an unchanged file that a resume needs, if the server gave one.
    public var validator: Validator?
    /// True if only the closing of the connection showed the end of the file.
    public var lengthUnproven = false
    /// The certainty of the document's length; nil until there is a document.
    public var length: LengthProof? {
        guard path != nil || evictedAt != nil else { return nil }
        return lengthUnproven ? .unproven : .proven
    }
    /// The server's statements about the file, of which the partial or the document is; nil if they aren't known.
    @Boxed public var response: ServerResponse?
    /// The highest step of ten percent that has been logged, 0 to 10.
    public var loggedSteps = 0
    /// The number of bytes at the last progress line, for a file of unknown length.
    public var loggedBytes: Int64 = 0
    /// True if `started download` has been logged.
    public var hasStarted = false
    /// True if `finished download` has been logged for the partial as it is.
    public var hasFinished = false
    /// The number of transfers begun so far.
    public var attempts = 0
    /// True if the job may have a partial: until a transfer has begun there is none.
    public var mayHavePartial: Bool { attempts > 0 || bytes > 0 }
    /// The number of attempts in a row that brought nothing new; determines the back-off.
    public var fruitlessTries = 0

    /// The seconds that those attempts took, with the waits between them; determines when to give up.
    public var struggled: Double = 0

    /// True if the lapsed lease of its batch has paused the job, rather than a person.
    public var isHeld = false
    /// The reason for which the job waits, and the end of the wait, if its state is `waiting`.
    @Boxed public var waiting: Waiting?
    /// The cause of the failure, if the job's state is `failed`.
    @Boxed public var failure: JobFailure?
    /// The shortages of the machine that have been logged for the job.
    public var toldOf: Shortages = []
    /// True if it has been logged that the job waits for room on the disk.
    public var toldOfFullDisk: Bool {
        get { toldOf.contains(.disk) }
        set { if newValue { toldOf.insert(.disk) } else { toldOf.remove(.disk) } }
    }
    /// True if the job waits for something that isn't its own fault: the host asks everybody to wait, or the machine
    /// lacks something.
    public var waitsForOthers: Bool {
        state == .waiting && (toldOf.contains(.host) || waiting?.reason.isOfMachine == true)
    }
    /// The name under which the partial is about to be published, committed before the rename.
    @Boxed public var reservation: Reservation?
    /// The document's SHA-256 in lower-case hex.
    ///
    /// It is known when the document is stored, or soon after if the document is large.
    public var sha256: String?
    /// The mark of the document when it was stored; while the file still has it, ``sha256`` is true of
    /// it.
    ///
    /// Nil if it isn't known, for example because somebody wrote to the document as soon as it had its
    /// name. After a crash during publishing it is what the file looks like at the next start, if its
    /// content is still what was sealed.
    @Boxed public var documentMark: FileMark?
    /// The time when the document was served last, as far as that has been written; nil if it never was.
    ///
    /// Only documents that may be removed have this.
    public var servedAt: SteadyTime?
    /// True if somebody wants the document to stay, however long ago it was served.
    public var isPinned = false
    /// The time of the decision to remove the document, to make room or at somebody's request; ``path`` is
    /// nil once it is gone.
    public var evictedAt: Timestamp?
    /// The result of looking for faces.
    @Boxed public var detection: DetectionResult?
    /// A request to look for faces again, until it has been met.
    public var detectionDemand: DetectionDemand?
    /// The number of detection attempts since the last known result, counted before each is made.
    public var detectionAttempts = 0
    /// True if `deferred face detection` has been logged.
    public var detectionDeferred = false
    /// The moment at which the job reached a final state; of one that is looked at again, the end of the
    /// first look.
    public var finishedAt: Moment?
    /// The moment at which the job ended; nil while it is under way, even again.
    public var endedAt: Moment? { state.isFinal ? finishedAt : nil }
    /// True if the document has been looked at, and is to be looked at again, or is being.
    ///
    /// What the first look has brought stays true until the second one has brought something.
    public var isLookedAtAgain: Bool { !state.isFinal && path != nil && detection != nil }
    /// True if the result of face detection holds for the document: the job has ended, or is looked at again.
    public var hasResult: Bool { state == .done || isLookedAtAgain }
    /// The numbers of what the job has come to, for those who follow.
    public var endings = JobEndings()

    public init(id: JobID, batch: BatchID, createdAt: Moment, url: JobURL, name: String) {
        self.id = id
        self.batch = batch
        self.createdAt = createdAt
        self.url = url
        self.name = name
    }

    /// Returns whether another job differs from this one in nothing but its number, URL and name.
    public func isAlike(_ other: Job) -> Bool {
        var twin = other
        (twin.id, twin.url, twin.name) = (id, url, name)
        return twin == self
    }

    /// The things that a machine or a host can lack, for which jobs wait without their tries being counted.
    public struct Shortages: OptionSet, Hashable, Sendable {
        /// A bit for each of them, as it is stored.
        public var rawValue: Int

        /// Creates a set of shortages from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Room on the disk.
        public static let disk = Shortages(rawValue: 1)
        /// Descriptors or memory.
        public static let resources = Shortages(rawValue: 2)
        /// The place of unfinished files, or of documents.
        public static let place = Shortages(rawValue: 4)
        /// A recipe of the job's source that can be used.
        public static let recipe = Shortages(rawValue: 8)
        /// The leave of the job's host, which asks everybody to wait; only while the job waits for that.
        public static let host = Shortages(rawValue: 16)
        /// The same of another host, which that of the job's URL has led to; always together with ``host``.
        public static let otherHost = Shortages(rawValue: 32)
        /// A certificate of the job's host, or of one that it leads to, that is trusted.
        public static let certificate = Shortages(rawValue: 64)

        /// Creates the shortage that a failure's code stands for; none for a failure that isn't the machine's.
        public init(_ code: FailureCode) {
            switch code {
            case .diskFull: self = .disk
            case .outOfResources: self = .resources
            case .storageLost: self = .place
            case .sourceUnusable: self = .recipe
            default: self = []
            }
        }
    }

    /// The reason for which a job waits, and the end of the wait.
    public struct Waiting: Hashable, Sendable {
        /// The failure that the last attempt ended with.
        public var reason: JobFailure
        /// The earliest moment of the next attempt.
        public var until: Moment

        public init(reason: JobFailure, until: Moment) {
            self.reason = reason
            self.until = until
        }
    }

    /// A name reserved for a partial before the rename, and what identifies the partial's file
    /// afterwards.
    public struct Reservation: Hashable, Sendable {
        /// The document's name in its folder.
        public var name: String
        /// The folder in the documents directory.
        public var folder: DocumentFolder
        /// The partial as it was sealed.
        public var sealed: SealedPartial

        public init(name: String, folder: DocumentFolder = DocumentFolder(), sealed: SealedPartial) {
            self.name = name
            self.folder = folder
            self.sealed = sealed
        }

        /// Reads a relative path as it was stored; nil if it leads out of the documents directory.
        public init?(path: String, sealed: SealedPartial) {
            guard DocumentFolder(stored: path) != nil, !path.isEmpty else { return nil }
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            self.init(
                name: String(slash.map { path[$0...].dropFirst() } ?? path[...]),
                folder: slash.flatMap { DocumentFolder(stored: String(path[..<$0])) } ?? DocumentFolder(),
                sealed: sealed
            )
        }

        /// The path in the documents directory.
        public var path: String { folder.placing(name) }
    }
}

/// A document of which only the document store knows so far, made of a body that was in memory.
public struct UnconfirmedDocument: Hashable, Sendable {
    /// The name that it got, and what identifies its file.
    public var reservation: Job.Reservation
    /// The version of the server's file that it is; nil if the server didn't say.
    public var validator: Validator?
    /// The server's statements about the file; nil if they aren't known.
    public var response: ServerResponse?

    public init(reservation: Job.Reservation, validator: Validator?, response: ServerResponse? = nil) {
        self.reservation = reservation
        self.validator = validator
        self.response = response
    }
}

/// A published file.
public struct Document: Hashable, Sendable {
    /// The file's absolute path.
    public var path: String
    /// The file's length in bytes.
    public var length: Int64
    /// The file's inode number; nil if it is no longer known.
    public var inode: UInt64?

    public init(path: String, length: Int64, inode: UInt64? = nil) {
        self.path = path
        self.length = length
        self.inode = inode
    }
}

/// A partial that is complete and synced.
public struct SealedPartial: Hashable, Sendable {
    /// The file's inode number.
    public var inode: UInt64
    /// The file's length in bytes.
    public var length: Int64
    /// The SHA-256 in lower-case hex; nil if it is computed after publishing.
    public var sha256: String?
    /// The time of the last modification, in nanoseconds since 1970; nil after a restart.
    public var modified: Int64?

    public init(inode: UInt64, length: Int64, sha256: String?, modified: Int64? = nil) {
        self.modified = modified
        self.inode = inode
        self.length = length
        self.sha256 = sha256
    }
}

extension Job {
    /// The largest possible file in bytes: 1 EiB, so that sums of several lengths don't overflow.
    public static let largestLength: Int64 = 1 << 60
}
