import CCurl
import Glibc
import JobCore

/// The part of the loop that a slot's callbacks need.
protocol TransferSlotOwner: NetworkWatch {
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
