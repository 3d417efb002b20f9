import ControlAPI
import HTTPTypes
import JobEngine
import JobModel
import Vocabulary

extension Endpoint {
    /// The endpoints for submitting and reading batches.
    static let batches = [
        Endpoint(
            .get,
            "/v1/batches",
            id: "listBatches",
            "Batches by id.",
            parameters: [
                Parameters.key, Parameters.unfinished, Parameters.batchOrder, Parameters.limit,
                Parameters.after,
            ]
        ) { server, call in try await server.batches(call) },
        Endpoint(
            .post,
            "/v1/batches",
            id: "createBatch",
            "Accepts a whole batch, or refuses it. It is durable before the answer is sent. With skip_known, what is "
                + "known is left out.",
            parameters: [Parameters.idempotencyKey],
            body: BodyShape(schema: BatchRequest.schema, isRequired: true, isLarge: true),
            answer: AnswerShape(
                status: 201,
                schema: BatchJSON.schema,
                unmade: EmptyBatchJSON.schema,
                objects: [EmptyBatchJSON.self]
            ),
            problems: [.invalidItems, .idempotencyKeyReused, .busy],
            handler: .reply { server, call in try await server.createBatch(call) }
        ),
        Endpoint(
            .get,
            "/v1/batches/{id}",
            id: "showBatch",
            "One batch with its jobs.",
            problems: [.noSuchBatch]
        ) { server, call in
            guard let batch = try await server.queries.batch(call.batch) else {
                throw ProblemJSON.noSuchBatch(call.batch)
            }
            let jobs = try await server.queries.jobIDs(of: call.batch)
            return BatchJSON(batch, jobs: jobs, now: server.now())
        },
        Endpoint(
            .post,
            "/v1/batches/{id}/renew",
            id: "renewBatch",
            "Renews the lease of a batch that was posted with one. What has paused when it lapsed goes on.",
            body: SmallBodies.renewal,
            problems: [.noSuchBatch, .notPossible]
        ) { server, call, seconds in
            guard let batch = try await server.queries.batch(call.batch) else {
                throw ProblemJSON.noSuchBatch(call.batch)
            }
            try await server.control.renew(call.batch, seconds: seconds)
            return BatchJSON(batch, now: server.now())
        },
    ]
}

extension RequestHandler {
    /// Answers with a page of batches.
    fileprivate func batches(_ call: Call) async throws -> PageJSON<BatchJSON> {
        let after = call[Parameters.after].map(BatchID.init(rawValue:))
        if let key = call[Parameters.key] {
            let batch = try await queries.batch(idempotencyKey: key, of: call.user)
            let items = [batch].compactMap(\.self).filter { $0.id > after ?? BatchID(rawValue: 0) }
            let now = now()
            return PageJSON(
                items: items.map { BatchJSON($0, now: now) },
                total: batch == nil ? 0 : 1,
                hasMore: false,
                next: nil
            )
        }
        let page = try await queries.batches(
            after: after,
            limit: call.limit,
            order: call[Parameters.batchOrder] ?? .oldest,
            areUnfinished: call[Parameters.unfinished] ?? false
        )
        let now = now()
        return PageJSON(
            items: page.items.map { BatchJSON($0, now: now) },
            total: page.total,
            hasMore: page.hasMore,
            next: page.hasMore ? page.items.last.map { "\($0.id.rawValue)" } : nil
        )
    }

    /// Accepts a batch.
    fileprivate func createBatch(_ call: Call) async throws -> Reply {
        let body = call.body
        let key = call[Parameters.idempotencyKey]
        let read =
            body.count <= BatchBody.smallSize
            ? BatchBody.read(body, withDigest: key != nil)
            : await bodyThread.run(for: call.user) { BatchBody.read(body, withDigest: key != nil) }
        let (batch, digest): (BatchReader.Batch, String?)
        switch read {
        case .batch(let read, let ofBody): (batch, digest) = (read, ofBody)
        case .refused(let reply): return reply
        }
        var idempotency: Submission.Idempotency?
        if let key, let digest { idempotency = .init(key: key, bodyDigest: digest) }
        let submission = Submission(
            items: batch.items,
            submittedBy: call.user,
            idempotency: idempotency,
            lease: batch.lease
        )
        guard batch.skipsKnown else {
            // Where nothing was new, there is no batch that has the key, and its body was another one.
            if let key, try await queries.emptyAnswer(idempotencyKey: key, of: call.user) != nil {
                throw ControlError.idempotencyKeyReused
            }
            return reply(try await control.submit(submission))
        }
        switch try await submissions.leaveOutKnown(submission, control, queries) {
        case .accepted(let accepted): return reply(accepted)
        case .nothingNew(let known): return .json(EmptyBatchJSON(known: known))
        }
    }

    private func reply(_ accepted: AcceptedBatch) -> Reply {
        .json(
            BatchJSON(accepted.batch, jobs: accepted.jobs, now: now()),
            status: .created,
            fields: [.location: "/v1/batches/\(accepted.batch.id.rawValue)"]
        )
    }
}
