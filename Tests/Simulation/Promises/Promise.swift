/// A promise of the house, which is looked at after each turn and at the end of a history.
enum Promise: String, CaseIterable {
    case possible =
        "no input is impossible, and the engine goes on (Jobs/JobCore: an impossible input fails a test)"
    case endsOnce = "a job that has ended stays as it is until somebody asks for more (JobState.isFinal)"
    case wakes =
        "nothing that waits rests beyond its stated time, and what could begin does (RetryTimers, TransferQueue)"
    case permits = "a permit that is given is used, or given back (TransferQueue)"
    case counts = "status counts jobs as the store has them (Daemon/JobEngine: fewer writes)"
    case events = "events have no gaps and no doubles, and the log has all of them (DESIGN: event log)"
    case durable =
        "what was decided is committed before anybody acts on it or hears of it (Sources: durable before told)"
    case held = "no host is asked while it is held (Jobs/JobCore: patience)"
    case released =
        "who waits for a host that a person has released goes on (Jobs/JobCore: a person can end a hold)"
    case leased = "nothing is asked for a batch whose lease has lapsed (Jobs/JobCore: leases)"
    case connections =
        "no host has more transfers than the settings allow, nor have all that bring something (TransferQueue+Returns)"
    case pace = "no host is asked more often than its pace (Jobs/JobCore: a pace)"
    case rests = "a resting engine does nothing (Daemon/JobEngine: a turn by itself has something to do)"
    case fair =
        "a job at a host that answers begins soon, however many are at hosts that don't (lists as they are)"
    case tries = "tries are counted for a job's own failures only (Jobs/JobCore: patience)"
    case wholeDocuments =
        "a document is one version of a file, and all of it (Sources: a body is whole or no document)"
    case oneDocument =
        "a job has one document, and where people are told that it is (DESIGN: never a second copy)"
    case oneTransfer = "a job has one transfer at a time (TransferRequest.job)"
    case answers = "everybody who asks gets an answer, and a batch is accepted once for its key (JobControl)"
    case bounded =
        "the engine has no more jobs in memory than there is work for (Daemon/JobEngine: what is in memory)"
    case listed =
        "what a list had throughout a whole walk became a job, and once (Listing/SourceEngine: how a page becomes jobs)"
    case looks =
        "a source looks as often as it says, whatever the clocks do (PollPlan, FailurePlan; Listing/SourceEngine)"
    case told = "a look that fails is told of until one succeeds (SourceState.failure, the list of pages)"
    case stored = "the store has the rows that were written, however often it is opened (Daemon/JobStore)"
}

/// A promise that was broken, and how.
struct BrokenPromise: Error, CustomStringConvertible {
    var promise: Promise
    var words: String

    var description: String { "broken: \(promise.rawValue)\n  \(words)" }
}
