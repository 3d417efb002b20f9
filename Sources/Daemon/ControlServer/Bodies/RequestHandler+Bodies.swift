import ControlAPI
import HTTPServer
import HTTPTypes
import JobEngine
import NIOCore

extension RequestHandler {
    /// A received body.
    struct Body: Sendable {
        var bytes: [UInt8] = []
        /// Its place in memory, needed until the request has been answered; nil for a small body.
        var place: BodyAdmission.Place?
    }

    /// The result of receiving a body.
    enum Reception {
        case received(Body)
        case refused(Admission.Refusal)
    }

    /// Receives the body of a request, waiting for room if it is large.
    func receive(
        _ incoming: RequestBody,
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
        let announced = request.announcedLength
        var body = Body()
        if isLarge, let announced, announced > BatchBody.smallSize {
            body.place = try await place(for: min(announced, limit), channel: channel)
            guard body.place != nil else { return .refused(noPlace) }
            body.bytes.reserveCapacity(min(announced, limit))
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeContinue()
        }
        var pace = BodyPace()
        var deadline: Scheduled<Void>?
        defer { deadline?.cancel() }
        while let chunk = try await incoming.next() {
            let size = body.bytes.count + chunk.readableBytes
            guard size <= limit else {
                return .refused(Admission.Refusal(.bodyTooLarge(limit, isInParts: isLarge)))
            }
            if isLarge, body.place == nil, size > BatchBody.smallSize {
                // While the body waits, it isn't read, so it can't be slow.
                deadline?.cancel()
                pace = BodyPace()
                body.place = try await place(for: limit, channel: channel)
                guard body.place != nil else { return .refused(noPlace) }
            }
            body.bytes.append(contentsOf: chunk.readableBytesView)
            if size < announced ?? .max, pace.has(size) {
                deadline?.cancel()
                deadline = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.idleTimeout)) {
                    channel.close(promise: nil)
                }
            }
        }
        if let place = body.place {
            place.received(body.bytes.count)
            try await channel.setOption(.recvAllocator, value: ReadSize.requests).get()
        }
        return .received(body)
    }

    private func place(for size: Int, channel: any Channel) async throws -> BodyAdmission.Place? {
        let user = connections.client(of: channel)?.user
        let place = await bodies.enter(size, user: user) { channel.close(promise: nil) }
        if place != nil { try await channel.setOption(.recvAllocator, value: ReadSize.body).get() }
        return place
    }

    private var noPlace: Admission.Refusal {
        stop.isRaised
            ? Admission.Refusal(ProblemJSON(ControlError.stopping))
            : Admission.Refusal(
                ProblemJSON(.busy, "too many large requests are being read; try again in a minute"),
                fields: [.retryAfter: "60"]
            )
    }
}

/// Decides when a body arrives so slowly that its connection is closed: a trickle of bytes is as good as
/// nothing, and a large body takes up memory meanwhile.
///
/// A request's head must arrive within the deadline, however it trickles in. So must a small body, and
/// each further piece of a large one.
struct BodyPace {
    /// The bytes of a large body that must arrive within the time that a connection may be idle: 4 KiB
    /// per second if that is a minute.
    static let piece = 256 << 10

    /// The number of bytes that must have arrived by the deadline.
    private var wanted = 0

    /// Returns whether the bytes received so far extend the deadline.
    mutating func has(_ size: Int) -> Bool {
        guard size >= wanted else { return false }
        wanted = size + Self.piece
        return true
    }
}
