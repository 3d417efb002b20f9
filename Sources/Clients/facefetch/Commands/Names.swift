import ArgumentParser
import Vocabulary

/// The name of a job as people write it: `j3` or `3`.
struct JobName: Hashable, Sendable {
    /// The job's id.
    var id: Int64

    /// Reads a name from the command line.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        guard let id = JobID(argument) else { throw ValidationError("jobs are named as j3 or 3") }
        self.id = id.rawValue
    }
}

/// The name of a batch as people write it: `b1` or `1`.
struct BatchName: Hashable, Sendable {
    /// The batch's id.
    var id: Int64

    /// Reads a name from the command line.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        guard let id = BatchID(argument) else { throw ValidationError("batches are named as b1 or 1") }
        self.id = id.rawValue
    }
}
