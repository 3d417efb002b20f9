import ArgumentParser

/// A job, as people name it: `j3` or `3`.
struct JobName: ExpressibleByArgument, Hashable, Sendable {
    /// The job's id.
    var id: Int64

    init?(argument: String) {
        guard let id = Int64(name: argument, letter: "j") else { return nil }
        self.id = id
    }
}

/// A batch, as people name it: `b1` or `1`.
struct BatchName: ExpressibleByArgument, Hashable, Sendable {
    /// The batch's id.
    var id: Int64

    init?(argument: String) {
        guard let id = Int64(name: argument, letter: "b") else { return nil }
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
