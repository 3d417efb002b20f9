import Vocabulary

// Schemas used in several shapes.
extension JSONSchema {
    /// The schema of a SHA-256 in lower-case hex.
    static var sha256: JSONSchema { .string(pattern: "^[0-9a-f]{64}$") }

    /// The schema of the URL of a file to fetch.
    static var url: JSONSchema {
        .string(
            to: JobURL.maximumLength,
            pattern:
                "^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:[1-9][0-9]{0,3})?(/[!-~]*)?$"
        )
    }

    /// The schema of a job's priority.
    static var priority: JSONSchema {
        .integer(
            from: Int64(BatchRequest.Item.priorities.lowerBound),
            to: Int64(BatchRequest.Item.priorities.upperBound)
        )
    }

    /// The schema of the number of jobs in each state, for every state.
    static var jobCounts: JSONSchema { .members(JobCountsJSON.Key.allKeyTexts, .count) }
}
