import ControlAPI
import HTTPTypes
import JobModel
import NIOCore

extension Endpoint {
    /// Documents: all of them in a few bytes each, and one as it is.
    static let documents =
        [
            Endpoint(
                .get,
                "/v1/documents/index",
                id: "indexDocuments",
                "All documents, 8 bytes each, little-endian: the job (32 bits), width÷height×1000 (16 bits, 0 unknown), faces (8 bits, 255 for more), flags (8 bits: 1 counted, 2 not readable; 4 has meta); with times, 4 bytes more.",
                parameters: [
                    Parameters.state, Parameters.batch, Parameters.source, Parameters.meta,
                    Parameters.minFaces, Parameters.outcome,
                    Parameters.text, Parameters.match, Parameters.ids, Parameters.documentOrder,
                    Parameters.firstDocuments, Parameters.times, Parameters.ifNoneMatch,
                ],
                answer: AnswerShape(
                    type: "application/octet-stream",
                    schema: .string().format("binary"),
                    canBeUnchanged: true
                ),
                handler: .reply { server, call in try await server.documentIndex(call) }
            ),
            Endpoint(
                .get,
                "/v1/jobs/{id}/document",
                id: "downloadDocument",
                "A job's document, byte by byte, to be saved: never to be shown by what has asked for it.",
                answer: AnswerShape(type: "application/octet-stream", schema: .string().format("binary")),
                problems: [.noSuchJob, .notStored, .documentGone],
                handler: .document
            ),
            Endpoint(
                .delete,
                "/v1/jobs/{id}/document",
                id: "removeDocument",
                "Removes the document of a job that has ended, if nobody has changed it since it was stored. The job and its result stay.",
                problems: [.noSuchJob, .notPossible, .notStored, .documentGone]
            ) { server, call in
                guard let job = try await server.queries.job(call.job) else {
                    throw ProblemJSON.noSuchJob(call.job)
                }
                if job.isEvicted { throw ProblemJSON.evicted(call.job) }
                if job.path == nil, job.state.isFinal {
                    throw ProblemJSON(.notStored, "job \(call.job.rawValue) has no document")
                }
                return server.show(try await server.control.removeDocument(of: call.job))
            },
        ] + PictureSize.allCases.map(picture)

    private static func picture(_ size: PictureSize) -> Endpoint {
        Endpoint(
            .get,
            PathTemplate("/v1/jobs/{id}/picture/\(size.rawValue)"),
            id: "show\(size.rawValue.prefix(1).uppercased())\(size.rawValue.dropFirst())Picture",
            "A job's document as a JPEG of \(size.side) pixels at most, upright, without anything but pixels.",
            parameters: [Parameters.ifNoneMatch],
            answer: AnswerShape(
                type: "image/jpeg",
                schema: .string().format("binary"),
                canBeUnchanged: true
            ),
            problems: [.noSuchJob, .unreadable, .notStored, .documentGone, .busy],
            handler: .picture(size)
        )
    }
}

extension RequestHandler {
    /// Returns the index of the documents that the request asks for.
    fileprivate func documentIndex(_ call: Call) async throws -> Reply {
        var filter = call.filter
        filter.text = filter.text ?? call[Parameters.match]
        let order = call[Parameters.documentOrder] ?? .newest
        let index = try await queries.documentIndex(
            filter,
            order: order,
            limit: call[Parameters.firstDocuments].map(Int.init),
            hasTimes: call[Parameters.times] ?? false
        )
        let tag = EntityTags.tag(of: index.bytes)
        let fields: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
        if call[Parameters.ifNoneMatch]?.have(tag) ?? false {
            return Reply(status: .notModified, fields: fields, body: ByteBuffer())
        }
        var whole = fields
        whole[.contentType] = "application/octet-stream"
        return Reply(status: .ok, fields: whole, body: ByteBuffer(bytes: index.bytes))
    }
}
