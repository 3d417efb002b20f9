import ControlAPI
import JobModel
import Vocabulary

/// A selection of jobs that are to be forgotten.
enum ForgottenSelection: Sendable {
    case jobs([JobID])
    case batch(BatchID)
    case endedBefore(Timestamp)
}

/// Reads the body of a post to forget jobs.
enum ForgetReader {
    private typealias Key = ForgetRequest.CodingKeys

    /// The body, as the row of the endpoint has it; nil if there is none.
    static let body = SmallBody<ForgottenSelection?>(ForgetRequest.self) { (body) throws(ProblemJSON) in
        body.isEmpty ? nil : try read(body)
    }

    private static func read(_ body: [UInt8]) throws(ProblemJSON) -> ForgottenSelection {
        var selections: [ForgottenSelection] = []
        var reason: String?
        let kind = try JSONReader.body(body) { (reader, name) throws(JSONReader.Malformed) in
            let said: Result<ForgottenSelection, Refusal> = try member(name, &reader)
            switch said {
            case .success(let selection): selections.append(selection)
            case .failure(let refusal): reason = reason ?? refusal.reason
            }
        }
        if let reason { throw ProblemJSON(.invalidRequest, reason) }
        guard case .object = kind, selections.count == 1, let selection = selections.first else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with one of the keys ids, batch and ended_before"
            )
        }
        return selection
    }

    private struct Refusal: Error { let reason: String }

    private static func member(
        _ name: String,
        _ reader: inout JSONReader
    ) throws(JSONReader.Malformed) -> Result<ForgottenSelection, Refusal> {
        switch Key(rawValue: name) {
        case .ids:
            guard let ids = try reader.ids(ForgetRequest.idCount) else {
                let most = ForgetRequest.idCount.upperBound
                return .failure(Refusal(reason: "ids must be an array of 1 to \(most) integers from 1"))
            }
            return .success(.jobs(ids.map(JobID.init(rawValue:))))
        case .batch:
            guard case .integer(let id) = try reader.value(), id > 0 else {
                return .failure(Refusal(reason: "the batch must be an integer from 1"))
            }
            return .success(.batch(BatchID(rawValue: id)))
        case .endedBefore:
            guard case .string(let text) = try reader.value(), let time = Timestamp(rfc3339: text) else {
                return .failure(
                    Refusal(reason: "ended_before must be a time such as 2026-11-21T06:45:00Z")
                )
            }
            return .success(.endedBefore(time))
        case nil:
            try reader.skip()
            return .failure(
                Refusal(
                    reason: "the body has an unknown key, \(name.quoted); it takes ids, batch or ended_before"
                )
            )
        }
    }
}
