import ControlAPI
import JobModel

@testable import ControlServer

/// The body of what a client looks at, forgets, or tries as a recipe; the first byte says which.
enum ControlBodyTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let first = bytes.first else { return nil }
        let body = Array(bytes.dropFirst())
        switch first % 3 {
        case 0:
            let seen = try reading { () throws(ProblemJSON) in try AttentionReader.body.read(body) }
            return try seen.flatMap { (seen) throws(BrokenPromise) in try check(seen) }
        case 1:
            let selection = try reading { () throws(ProblemJSON) in try ForgetReader.body.read(body) }
            // Without a body, a filter in the query says which.
            guard let selection = selection ?? nil else { return nil }
            return try check(selection)
        default:
            let trial = try reading { () throws(ProblemJSON) in try SourceTrialBody(body) }
            return trial.map { $0.page?.text ?? $0.recipe }
        }
    }

    private static func reading<Said>(
        _ read: () throws(ProblemJSON) -> Said
    ) throws(BrokenPromise) -> Said? {
        do throws(ProblemJSON) { return try read() } catch {
            // Whoever posts megabytes of mistakes doesn't get them back.
            let detail = error.detail
            try promise(
                !detail.isEmpty && detail.utf8.count < 1000,
                "a reason has \(detail.utf8.count) bytes"
            )
            return nil
        }
    }

    private static func check(_ seen: AttentionReader.Seen) throws(BrokenPromise) -> String? {
        let all = seen.visible + seen.near
        try promise(all.count <= AttentionRequest.idCount, "\(all.count) jobs are looked at")
        try promise(all.allSatisfy { $0.rawValue > 0 }, "there is no such job")
        let request = AttentionRequest(
            visible: seen.visible.map(\.rawValue),
            near: seen.near.map(\.rawValue)
        )
        let again = try reading { () throws(ProblemJSON) in try AttentionReader.body.read(request.json) }
        try promise(
            again?.visible == seen.visible && again?.near == seen.near,
            "other jobs are looked at when it is written again"
        )
        return all.first.map { "\($0.rawValue)" }
    }

    private static func check(_ selection: ForgottenSelection) throws(BrokenPromise) -> String? {
        switch selection {
        case .jobs(let ids):
            try promise(ForgetRequest.idCount.contains(ids.count), "\(ids.count) jobs are forgotten")
            try promise(ids.allSatisfy { $0.rawValue > 0 }, "there is no such job")
            return ids.first.map { "\($0.rawValue)" }
        case .batch(let batch):
            try promise(batch.rawValue > 0, "there is no such batch")
            return "\(batch.rawValue)"
        case .endedBefore(let time):
            try promise(
                Timestamp(rfc3339: time.rfc3339) != nil,
                "\(time.microseconds) µs is no moment when it is read again"
            )
            return nil
        }
    }
}
