import Vocabulary

// What an event says, from its case to the texts that it is stored as: a new kind, or a new part of one, is written
// down here alone.

extension JobEvent {
    /// A kind of event with its details.
    ///
    /// Its URLs are masked.
    public enum Kind: Hashable, Sendable {
        /// The first transfer of the job has begun.
        case started(url: String)
        /// Another tenth of the file has arrived: 10, 20 … 100 percent.
        case progressed(name: String, percent: Int)
        /// More bytes of a file of unknown length have arrived.
        case received(name: String, bytes: Int64)
        /// A partial is continued where it was cut off.
        case resumed(name: String, offset: Int64, total: Int64?)
        /// A partial could not be continued.
        case restarted(name: String, reason: String)
        /// The partial is complete and on the disk.
        case finished(url: String, partialPath: String)
        /// The document is published.
        case stored(name: String, path: String, length: LengthProof = .proven)
        /// An attempt has failed; the next one follows automatically.
        case waiting(name: String, until: Timestamp, reason: JobFailure)
        /// The job ended without a document.
        case failed(url: String, failure: JobFailure)
        /// A person has paused the job.
        case paused(name: String)
        /// A person has resumed the job.
        case continued(name: String)
        /// A person has cancelled the job.
        case cancelled(name: String)
        /// A detector has begun to look for faces.
        case detectionStarted(name: String)
        /// The faces have been counted; `sharedFrom` is the job whose document was looked at, if not
        /// this one.
        case detectionFinished(name: String, faceCount: Int, sharedFrom: JobID? = nil)
        /// The gate is held; the document waits.
        case detectionDeferred(name: String)
        /// A person has cancelled a second look; what the first one has brought stands.
        case detectionCancelled(name: String)
        /// Looking for faces has failed.
        case detectionFailed(
            name: String,
            outcome: DetectionOutcome,
            sharedFrom: JobID? = nil,
            reason: String? = nil
        )
        /// The document was removed to make room; its job and result stay.
        case evicted(name: String)
        /// The document was removed because somebody asked for it.
        case removed(name: String)
    }
}

extension EventWord {
    /// The parts that events of this kind have, in the order in which they are stored.
    public var fields: [JobEvent.Field] {
        switch self {
        case .started: [.url]
        case .progressed: [.name, .percent]
        case .received: [.name, .bytes]
        case .resumed: [.name, .bytes, .total]
        case .restarted: [.name, .reason]
        case .finished: [.url, .path]
        case .stored: [.name, .path, .length]
        case .waiting: [.name, .until, .code, .reason]
        case .failed: [.url, .code, .reason]
        case .paused, .continued, .cancelled, .evicted, .removed, .detectionStarted, .detectionDeferred,
            .detectionCancelled:
            [.name]
        case .detectionFinished: [.name, .faceCount, .sharedFrom]
        case .detectionFailed: [.name, .outcome, .sharedFrom, .reason]
        }
    }
}

extension JobEvent {
    /// The parts of an event of any kind, as stored and sent.
    public struct Parts: Hashable, Sendable {
        /// The kind of event.
        public var word: EventWord
        /// The document's name.
        public var name: String?
        /// A URL, masked.
        public var url: String?
        /// The path of a file.
        public var path: String?
        /// The certainty of the document's length; nil where it is proven.
        public var length: LengthProof?
        /// The percentage reached, in steps of 10.
        public var percent: Int?
        /// The bytes received so far, or the offset at which a download resumes.
        public var bytes: Int64?
        /// The length of the whole file in bytes.
        public var total: Int64?
        /// The earliest time of the next attempt.
        public var until: Timestamp?
        /// The machine-readable code of the reason.
        public var code: FailureCode?
        /// The reason.
        public var reason: String?
        /// The number of faces.
        public var faceCount: Int?
        /// The outcome of detection.
        public var outcome: DetectionOutcome?
        /// The job that the result is shared from, if it is another's.
        public var sharedFrom: JobID?

        public init(_ word: EventWord) { self.word = word }
    }

    /// One of the parts.
    public enum Field: Sendable {
        case name, url, path, length, percent, bytes, total, until, code, reason, faceCount, outcome,
            sharedFrom
    }
}

extension JobEvent.Kind {
    /// The parts of this event.
    public var parts: JobEvent.Parts {
        switch self {
        case .started(let url): Parts(.started, url: url)
        case .progressed(let name, let percent): Parts(.progressed, name) { $0.percent = percent }
        case .received(let name, let bytes): Parts(.received, name) { $0.bytes = bytes }
        case .resumed(let name, let offset, let total):
            Parts(.resumed, name) {
                $0.bytes = offset
                $0.total = total
            }
        case .restarted(let name, let reason): Parts(.restarted, name) { $0.reason = reason }
        case .finished(let url, let path): Parts(.finished, url: url) { $0.path = path }
        case .stored(let name, let path, let length):
            Parts(.stored, name) {
                $0.path = path
                $0.length = length == .proven ? nil : length
            }
        case .waiting(let name, let until, let reason):
            Parts(.waiting, name) {
                $0.until = until
                $0.failure = reason
            }
        case .failed(let url, let failure): Parts(.failed, url: url) { $0.failure = failure }
        case .paused(let name): Parts(.paused, name)
        case .continued(let name): Parts(.continued, name)
        case .cancelled(let name): Parts(.cancelled, name)
        case .evicted(let name): Parts(.evicted, name)
        case .removed(let name): Parts(.removed, name)
        case .detectionStarted(let name): Parts(.detectionStarted, name)
        case .detectionFinished(let name, let count, let origin):
            Parts(.detectionFinished, name) {
                $0.faceCount = count
                $0.sharedFrom = origin
            }
        case .detectionDeferred(let name): Parts(.detectionDeferred, name)
        case .detectionCancelled(let name): Parts(.detectionCancelled, name)
        case .detectionFailed(let name, let outcome, let origin, let reason):
            Parts(.detectionFailed, name) {
                $0.outcome = outcome
                $0.sharedFrom = origin
                $0.reason = reason
            }
        }
    }

    /// Creates an event from its parts; nil if a required one is missing.
    public init?(_ parts: JobEvent.Parts) {
        let name = parts.name ?? ""
        let url = parts.url ?? ""
        let kind: Self? =
            switch parts.word {
            case .started: .started(url: url)
            case .progressed: parts.percent.map { .progressed(name: name, percent: $0) }
            case .received: parts.bytes.map { .received(name: name, bytes: $0) }
            case .resumed: parts.bytes.map { .resumed(name: name, offset: $0, total: parts.total) }
            case .restarted: .restarted(name: name, reason: parts.reason ?? "")
            case .finished: .finished(url: url, partialPath: parts.path ?? "")
            case .stored: .stored(name: name, path: parts.path ?? "", length: parts.length ?? .proven)
            case .waiting: parts.until.map { .waiting(name: name, until: $0, reason: parts.failure) }
            case .failed: .failed(url: url, failure: parts.failure)
            case .paused: .paused(name: name)
            case .continued: .continued(name: name)
            case .cancelled: .cancelled(name: name)
            case .evicted: .evicted(name: name)
            case .removed: .removed(name: name)
            case .detectionStarted: .detectionStarted(name: name)
            case .detectionFinished:
                parts.faceCount.map {
                    .detectionFinished(name: name, faceCount: $0, sharedFrom: parts.sharedFrom)
                }
            case .detectionDeferred: .detectionDeferred(name: name)
            case .detectionCancelled: .detectionCancelled(name: name)
            case .detectionFailed:
                parts.outcome.map {
                    .detectionFailed(
                        name: name,
                        outcome: $0,
                        sharedFrom: parts.sharedFrom,
                        reason: parts.reason
                    )
                }
            }
        guard let kind else { return nil }
        self = kind
    }

    private typealias Parts = JobEvent.Parts
}

extension JobEvent.Parts {
    fileprivate init(_ word: EventWord, _ name: String, _ more: (inout Self) -> Void = { _ in }) {
        self.init(word)
        self.name = name
        more(&self)
    }

    fileprivate init(_ word: EventWord, url: String, _ more: (inout Self) -> Void = { _ in }) {
        self.init(word)
        self.url = url
        more(&self)
    }

    fileprivate var failure: JobFailure {
        get { JobFailure(code ?? FailureCode(rawValue: ""), reason ?? "") }
        set {
            code = newValue.code
            reason = newValue.message
        }
    }
}

extension JobEvent.Parts {
    /// A part as the text that it is stored as; nil if there is none, or if a text can't be one.
    public subscript(_ field: JobEvent.Field) -> String? {
        get {
            switch field {
            case .name: name
            case .url: url
            case .path: path
            case .length: length?.rawValue
            case .percent: percent.map { String($0) }
            case .bytes: bytes.map { String($0) }
            case .total: total.map { String($0) }
            case .until: until.map { String($0.microseconds) }
            case .code: code?.rawValue
            case .reason: reason
            case .faceCount: faceCount.map { String($0) }
            case .outcome: outcome?.rawValue
            case .sharedFrom: sharedFrom.map { String($0.rawValue) }
            }
        }
        set {
            switch field {
            case .name: name = newValue
            case .url: url = newValue
            case .path: path = newValue
            case .length: length = newValue.flatMap(LengthProof.init(rawValue:))
            case .percent: percent = newValue.flatMap { Int($0) }
            case .bytes: bytes = newValue.flatMap { Int64($0) }
            case .total: total = newValue.flatMap { Int64($0) }
            case .until: until = newValue.flatMap { Int64($0) }.map { Timestamp(stored: $0) }
            case .code: code = newValue.map(FailureCode.init(rawValue:))
            case .reason: reason = newValue
            case .faceCount: faceCount = newValue.flatMap { Int($0) }
            case .outcome: outcome = newValue.flatMap(DetectionOutcome.init(rawValue:))
            case .sharedFrom: sharedFrom = newValue.flatMap { Int64($0) }.map { JobID(rawValue: $0) }
            }
        }
    }
}
