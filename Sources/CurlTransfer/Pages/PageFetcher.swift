import CCurl
import Dispatch
import Glibc
import JobCore
import Synchronization

/// Fetches the pages of sources into files, some at a time, by the same rules as pictures.
///
/// Each has a thread for as long as it takes.
public final class PageFetcher: Sendable {
    /// The most pages that are fetched at once.
    public static let width = 4

    private struct State {
        var configuration: CurlTransferConfiguration
        var hasEnded = false
        var running: [ObjectIdentifier: PageOrder] = [:]
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "facefetch.pages", attributes: .concurrent)
    private let places = DispatchSemaphore(value: PageFetcher.width)
    /// Who waits for a place waits here, not on a thread of all.
    private let entrance = DispatchQueue(label: "facefetch.pages.entrance")

    /// A fetcher that has fetched nothing yet; libcurl must be set up (see ``CurlTransfer``).
    public init(configuration: CurlTransferConfiguration) {
        state = Mutex(State(configuration: configuration))
    }

    /// Applies other settings to the pages that are asked for from now on.
    public func reconfigure(_ configuration: CurlTransferConfiguration) {
        state.withLock { $0.configuration = configuration }
    }

    /// Gives up what is under way, and takes no more.
    public func shutdown() {
        let running = state.withLock { state in
            state.hasEnded = true
            return Array(state.running.values)
        }
        for order in running { order.cancel() }
    }

    /// Fetches a page; cancelling gives it up within a second.
    public func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> {
        let order = PageOrder()
        let configuration = state.withLock { state -> CurlTransferConfiguration? in
            guard !state.hasEnded else { return nil }
            state.running[ObjectIdentifier(order)] = order
            return state.configuration
        }
        guard let configuration else { return .failure(.cancelled) }
        defer { state.withLock { $0.running[ObjectIdentifier(order)] = nil } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                entrance.async { [self] in
                    places.wait()
                    queue.async { [self] in
                        let result = PageTransfer(request, configuration, order).run()
                        places.signal()
                        continuation.resume(returning: result)
                    }
                }
            }
        } onCancel: {
            order.cancel()
        }
    }
}

/// Whether a page is still wanted; any thread may say that it isn't.
final class PageOrder: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }
    func cancel() { flag.store(true, ordering: .relaxed) }
}
