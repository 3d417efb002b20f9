import ControlAPI
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JobEngine
import NIOCore

extension RequestHandler {
    /// A body that has come.
    struct Body: Sendable {
        var bytes: [UInt8] = []
        /// Its place in memory, which it needs until it has been answered; nil for a small one.
        var place: BodyAdmission.Place?
    }

    /// What came of receiving a body.
    enum Reception {
        case received(Body)
        /// Carries what is left of the body, where reading it had begun: it can be iterated once only.
        case refused(Admission.Refusal, rest: RequestBody.AsyncIterator?)
    }

    /// Receives the body of a request; a large one once there is room for it.
    func receiveBody(
        of request: Request,
        for endpoint: Endpoint,
        writer: borrowing ResponseWriter,
        channel: any Channel
    ) async throws -> Reception {
        let isLarge = endpoint.body?.isLarge ?? false
        let limit =
            isLarge
            ? configuration.maximumBodySize
            : endpoint.body == nil ? BodyShape.unusedSize : BodyShape.smallSize
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        var body = Body()
        if isLarge, let announced, announced > BatchBody.smallSize {
            body.place = await place(for: min(announced, limit), channel: channel)
            guard body.place != nil else { return .refused(noPlace, rest: nil) }
            body.bytes.reserveCapacity(min(announced, limit))
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        var pace = BodyPace()
        var deadline: Scheduled<Void>?
        defer { deadline?.cancel() }
        var chunks = request.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            let size = body.bytes.count + chunk.readableBytes
            guard size <= limit else {
                return .refused(Admission.Refusal(.bodyTooLarge(limit)), rest: chunks)
            }
            if isLarge, body.place == nil, size > BatchBody.smallSize {
                // While it waits, nothing more is read of it.
                deadline?.cancel()
                pace = BodyPace()
                body.place = await place(for: limit, channel: channel)
                guard body.place != nil else { return .refused(noPlace, rest: chunks) }
            }
            body.bytes.append(contentsOf: chunk.readableBytesView)
            if size < announced ?? .max, pace.has(size) {
                deadline?.cancel()
                deadline = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.idleTimeout)) {
                    channel.close(promise: nil)
                }
            }
        }
        body.place?.received(body.bytes.count)
        return .received(body)
    }

    private func place(for size: Int, channel: any Channel) async -> BodyAdmission.Place? {
        let user = connections.client(of: channel)?.user
        return await bodies.enter(size, user: user) { channel.close(promise: nil) }
    }

    private var noPlace: Admission.Refusal {
        stop.isRaised
            ? Admission.Refusal(ProblemJSON(ControlError.stopping))
            : Admission.Refusal(
                ProblemJSON(.busy, "too many large posts are under way; try again in a minute"),
                fields: [.retryAfter: "60"]
            )
    }
}
