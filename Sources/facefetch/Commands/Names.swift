import ArgumentParser

/// The name of a job as people write it: `j3` or `3`.
struct JobName: Hashable, Sendable {
    /// The job's id.
    var id: Int64

    /// Reads a name from the command line.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        guard let id = Int64(name: argument, letter: "j") else {
            throw ValidationError("jobs are named as j3 or 3")
        }
        self.id = id
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
        guard let id = Int64(name: argument, letter: "b") else {
            throw ValidationError("batches are named as b1 or 1")
        }
        self.id = id
    }
}

extension Int64 {
    fileprivate init?(name: String, letter: Character) {
        let digits = name.first == letter ? name.dropFirst() : name[...]
        guard let id = Int64(digits), id > 0, digits.first != "+" else { return nil }
        self = id
    }
}
