import ArgumentParser
import ControlAPI

/// Something to know of a job, as people write it: `album=holiday`.
struct MetaMember: Hashable, Sendable {
    /// The name of the fact.
    let key: String
    /// Its value for this job.
    let value: String

    /// Reads `KEY=VALUE`; the value may be empty, and have more of these signs.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ValidationError("write it as KEY=VALUE, such as album=holiday")
        }
        key = String(parts[0])
        value = String(parts[1])
    }

    /// The first key that is given more than once.
    static func firstRepeated(in members: [MetaMember]) -> String? {
        members.indices.first { index in members[..<index].contains { $0.key == members[index].key } }
            .map { members[$0].key }
    }

    /// The object that they are together; nil if there are none.
    static func object(_ members: [MetaMember]) -> MetaJSON? {
        guard !members.isEmpty else { return nil }
        return MetaJSON(Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first })
    }
}
