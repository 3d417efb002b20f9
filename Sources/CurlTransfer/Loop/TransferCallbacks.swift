import CCurl
import Glibc
import JobCore

/// What a slot's callbacks need of the loop around it.
protocol TransferSlotOwner: AnyObject {
    var configuration: CurlTransferConfiguration { get }
    /// Milliseconds since the denied networks changed; nil when they are as they were at the start.
    var networksAge: Int64? { get }
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
                JobFailure(.protocolError, "the answer of \(slot.place) can't be understood: \(reason)")
            )
            return 0
        }
    }

    static let write: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let slot = slot(context) else { return 0 }
        return slot.owner.bodyArrived(slot, UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    /// Makes the socket, unless it would lead into a denied network.
    ///
    /// This is the one place that sees the address after every lookup and redirect.
    static let openSocket: CCurlOpenSocket = { context, _, address in
        guard let address, let slot = slot(context) else { return CURL_SOCKET_BAD }
        let isDenied = withUnsafeBytes(of: &address.pointee.addr) { bytes in
            guard let base = bytes.baseAddress,
                let ip = IPAddress(base, length: Int(address.pointee.addrlen))
            else { return true }
            return slot.owner.configuration.deniedNetworks.contains { $0.contains(ip) }
        }
        if isDenied {
            slot.deniedAddress = true
            return CURL_SOCKET_BAD
        }
        slot.allowedAddress = true
        return socket(
            address.pointee.family,
            address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol
        )
    }

    private static func slot(_ context: UnsafeMutableRawPointer?) -> TransferSlot? {
        context.map { Unmanaged<TransferSlot>.fromOpaque($0).takeUnretainedValue() }
    }
}
