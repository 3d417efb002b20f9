import ControlAPI
import HTTPServer
import HTTPTypes
import JobModel
import NIOCore

extension RequestHandler {
    /// Answers `GET /v1/jobs/{id}/document` with as much at a time as its client takes.
    func sendDocument(
        _ request: Request,
        _ admission: Admission,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        let job: Job
        let file: DocumentFile
        let reads: ConnectionReads
        do {
            let client = connections.client(of: channel)
            let closed = connections.closed(channel)
            let call = try Call(request, admission.route, body: [], client: client, closed: closed)
            reads = self.reads(for: call)
            guard let found = try await reads.pass(.usual, { try await queries.job(call.job) }) else {
                throw ProblemJSON.noSuchJob(call.job)
            }
            job = found
            file = try await openDocument(of: found)
            control.served(found)
        } catch {
            let reply = await answer(request) { throw error }
            metrics.answered(status: reply.status.code, after: ContinuousClock.now - start)
            return try await writer.write(reply, headOnly: admission.headOnly)
        }
        metrics.answered(status: 200, after: ContinuousClock.now - start)
        let fields = Attachment.fields(name: job.name, length: file.length)
        let out = try await writer.begin(HTTPResponse(status: .ok, headerFields: fields))
        if !admission.headOnly {
            try await file.forEachPiece(reads) { piece in
                try await out.write(piece)
                try await TakenWatcher.wait(for: channel, patience: configuration.idleTimeout)
            }
        }
        try await out.finish()
    }

    /// Opens a job's document, if it is there as it was stored.
    ///
    /// - Throws: ``ProblemJSON``
    func openDocument(of job: Job) async throws -> DocumentFile {
        try await DocumentFile.open(of: job, known: provenDocuments, unless: storageObstacle)
    }

    /// Returns the reason why no document can be found now; nil if there is no such reason.
    private func storageObstacle() -> String? { control.status().holds.first { $0.kind == .storage }?.reason }
}
