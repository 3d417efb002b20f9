import CCurl
import Glibc
import HTTPRequests
import JobModel

/// The part of the loop that a slot's callbacks need.
protocol TransferSlotOwner: NetworkWatch {
    var configuration: CurlTransferConfiguration { get }
    /// The milliseconds since the denied networks changed; nil if they haven't.
    var networksAge: Int64? { get }
    /// Returns the rate limit of a host; nil where it has none.
    func hostRate(of host: String) -> HostRate?
    /// Returns the TLS sessions of a host, or those of requests without TLS; nil where there is no memory for them.
    func sessions(of host: String?) -> TLSSessions?
    /// Notes the connection that a request is about to go out on; returns whether nothing has come over it that nobody has
    /// asked for.
    func isClean(_ slot: TransferSlot) -> Bool
    /// Returns whether no other request is on the connection that a request is about to go out on, or it can carry many.
    func isFree(_ slot: TransferSlot) -> Bool
    /// Returns the use that a request to a host may make of connections.
    func useOfConnections(to host: String) -> ConnectionUse
    /// The head is complete: says whether libcurl is to go on.
    func headArrived(_ slot: TransferSlot) -> Bool
    /// Handles bytes of the body; returns what libcurl expects: their count, CURL_WRITEFUNC_PAUSE, or
    /// anything else to abort.
    func bodyArrived(_ slot: TransferSlot, _ bytes: UnsafeRawBufferPointer) -> Int
}

/// The functions that libcurl calls, always on the transfer thread.
enum TransferCallbacks {
    static let header: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let slot = slot(context) else { return 0 }
        let length = size * count
        switch slot.answer.reader.parse(UnsafeRawBufferPointer(start: bytes, count: length)) {
        case .more:
            return length
        case .complete:
            return slot.owner.headArrived(slot) ? length : 0
        case .malformed(let reason):
            slot.answer.isMisled = true
            slot.answer.failure = .refused(
                JobFailure(.protocolError, "\(slot.place) sent an answer that makes no sense: \(reason)")
            )
            return 0
        }
    }

    static let write: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let slot = slot(context) else { return 0 }
        return slot.owner.bodyArrived(slot, UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static func slot(_ context: UnsafeMutableRawPointer?) -> TransferSlot? {
        context.map { Unmanaged<TransferSlot>.fromOpaque($0).takeUnretainedValue() }
    }
}
