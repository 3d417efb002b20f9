/// A place in the record of a fleet, behind which nothing comes later that belongs before it.
public struct RecordCursor: Hashable, Sendable {
    /// The beginning.
    public static let start = RecordCursor(fleet: "", transaction: 0, job: 0)

    /// The life of the fleet in which it was given.
    public var fleet: String
    /// The transaction that has written the last record seen.
    public var transaction: UInt64
    /// The job of that record.
    public var job: Int64

    public init(fleet: String, transaction: UInt64, job: Int64) {
        (self.fleet, self.transaction, self.job) = (fleet, transaction, job)
    }

    /// Reads what ``text`` says, or 0 for the beginning; nil if it is neither.
    public init?(_ text: String) {
        if text == "0" {
            self = .start
            return
        }
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 3, FleetLife.isID(words[0]), let transaction = UInt64(words[1]),
            let job = Int64(words[2]), job >= 0, transaction > 0
        else { return nil }
        self.init(fleet: String(words[0]), transaction: transaction, job: job)
    }

    /// The cursor as text.
    public var text: String { self == .start ? "0" : "\(fleet)-\(transaction)-\(job)" }

    /// What is true of a cursor in a database.
    public enum Verdict: Hashable, Sendable {
        /// Behind it comes all that wasn't seen yet, once.
        case goesOn
        /// Some of what was seen before it may be lost, and what has come since may lie before it; behind the other
        /// one comes all that was written since.
        case beginsAgain(at: RecordCursor)
    }

    /// Judges the cursor by the database's lives, oldest first, and the next transaction there.
    ///
    /// Of a life that a failover has ended, a beginning of the record is left, and the next life numbers its
    /// transactions from there: of a cursor in that beginning nothing is lost. Any other one has seen what isn't there
    /// any more, and would step over what has come in its place.
    public func verdict(lives: [FleetLife], next: UInt64) -> Verdict {
        if self == .start { return .goesOn }
        guard let own = lives.firstIndex(where: { $0.id == fleet }), let current = lives.last else {
            return .beginsAgain(at: .start)
        }
        let later = lives[(own + 1)...]
        guard let first = later.first else { return transaction < next ? .goesOn : .beginsAgain(at: .start) }
        guard later.allSatisfy({ $0.firstTransaction != nil }), let split = first.firstTransaction else {
            return .beginsAgain(at: .start)
        }
        if transaction < split { return .goesOn }
        return .beginsAgain(at: RecordCursor(fleet: current.id, transaction: split, job: 0))
    }
}
