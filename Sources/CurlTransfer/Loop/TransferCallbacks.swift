import CCurl
import Glibc
import JobCore

/// The part of the loop that a slot's callbacks need.
protocol TransferSlotOwner: AnyObject {
    var configuration: CurlTransferConfiguration { get }
    /// Milliseconds since the denied networks changed; nil when they are as they were at the start.
    var networksAge: Int64? { get }
    /// Whether requests go through a proxy, whose address says nothing of where they go.
    var usesProxy: Bool { get }
    /// The head is complete: says whether libcurl is to go on.
    func headArrived(_ slot: TransferSlot) -> Bool
    /// Body bytes came; the answer is libcurl's: their count, or CURL_WRITEFUNC_PAUSE, or another to abort.
    func bodyArrived(_ slot: TransferSlot, _ bytes: UnsafeRawBufferPointer) -> Int
}

/// The functions that libcurl calls, all on the transfer thread.
enum TransferCallbacks {
    static let header: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let slot = slot(context) else { return 0 }
        let length = size * count
        switch slot.reader.take(UnsafeRawBufferPointer(start: bytes, count: length)) {
        case .more:
            return length
        case .complete:
            return slot.owner.headArrived(slot) ? length : 0
        case .malformed(let reason):
            slot.failure = .refused(
                JobFailure(.protocolError, "\(slot.place) sent an answer that makes no sense: \(reason)")
            )
            return 0
        }
    }

    static let write: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let slot = slot(context) else { return 0 }
        return slot.owner.bodyArrived(slot, UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    /// Makes the socket, unless it would lead where the rules let nobody go.
    ///
    /// This is the one place that sees every address before anything is sent there.
    static let openSocket: CCurlOpenSocket = { context, _, address in
        guard let address, let slot = slot(context) else { return CURL_SOCKET_BAD }
        let ip = withUnsafeBytes(of: &address.pointee.addr) { bytes in
            bytes.baseAddress.flatMap { IPAddress($0, length: Int(address.pointee.addrlen)) }
        }
        if let refusal = ip.map({ slot.refusal(of: $0) }) ?? .denied {
            slot.refusedAddress = refusal
            return CURL_SOCKET_BAD
        }
        slot.allowedAddress = true
        let descriptor = socket(
            address.pointee.family,
            address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol
        )
        if descriptor < 0 { slot.socketError = errno }
        return descriptor
    }

    /// A request is about to go out on a connection, which may have been made for another one.
    static let beforeRequest: CCurlBeforeRequest = { context, remote, _, _, _ in
        guard let slot = slot(context) else { return CURL_PREREQFUNC_ABORT }
        // A proxy behind a unix socket has none.
        guard let remote, let ip = IPAddress(String(cString: remote)) else {
            slot.noteDestination()
            return CURL_PREREQFUNC_OK
        }
        if let refusal = slot.refusal(of: ip) {
            slot.failure = .refused(refusal.failure(at: slot.place))
            return CURL_PREREQFUNC_ABORT
        }
        slot.noteDestination(ip)
        return CURL_PREREQFUNC_OK
    }

    private static func slot(_ context: UnsafeMutableRawPointer?) -> TransferSlot? {
        context.map { Unmanaged<TransferSlot>.fromOpaque($0).takeUnretainedValue() }
    }
}
