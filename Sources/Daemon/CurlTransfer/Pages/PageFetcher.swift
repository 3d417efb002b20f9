import CCurl
import Dispatch
import Glibc
import JobCore
import JobModel
import Synchronization

/// Fetches pages of sources into files by the rules that hold for pictures, a few of each server at a time.
///
/// A page occupies a thread for as long as it takes, because it has an easy handle of its own and waits in
/// curl_easy_perform(3). Pages that wait for their turn occupy none. What a page takes of memory is that
/// handle's buffers, since its body goes to a file, so many servers that never answer may be waited for.
public final class PageFetcher: Sendable {
    /// The most pages fetched at once of one server, which holds up no pages of others.
    public static let widthOfServer = 2
    /// The most pages fetched at once.
    public static let width = 64
    /// The most long lists fetched at once, which may take hours and hold up no pages.
    public static let widthOfLists = 16
    /// The most pages fetched at once for people who try a recipe out, which wait for no source.
    public static let widthOfTrials = 8
    /// The most of those for one user, so that there are places for others.
    public static let widthOfUser = 4
    /// The most pictures asked about at once, which hold up no pages.
    public static let widthOfChecks = 16

    /// The places that a page is fetched at, each kind of which has its own limits.
    private struct Place: Hashable {
        enum Kind { case page, list, trial, check }

        var kind: Kind
        var server: String

        init(_ request: PageRequest) {
            kind =
                request.wantsHeadOnly
                ? .check : request.isTrial ? .trial : request.timeLimit == nil ? .list : .page
            server = "\(request.url.scheme)://\(request.url.host):\(request.url.port)"
        }

        var most: Int {
            switch kind {
            case .page: PageFetcher.width
            case .list: PageFetcher.widthOfLists
            case .trial: PageFetcher.widthOfTrials
            case .check: PageFetcher.widthOfChecks
            }
        }
    }

    private struct Waiting: Sendable {
        var request: PageRequest
        var configuration: CurlTransferConfiguration
        var order: PageOrder
        var answer: CheckedContinuation<Result<PageAnswer, PageFetchError>, Never>
        var place: Place { Place(request) }
    }

    private struct State {
        var configuration: CurlTransferConfiguration
        var hasEnded = false
        /// The pages that are being fetched.
        var running: [ObjectIdentifier: (order: PageOrder, place: Place, user: UInt32?)] = [:]
        /// The pages whose turn hasn't come, in the order in which they will be fetched.
        var waiting: [Waiting] = []

        func hasRoom(for page: Waiting) -> Bool {
            let place = page.place
            if place.kind == .trial {
                let own = running.values.count { $0.place.kind == .trial && $0.user == page.request.user }
                guard own < PageFetcher.widthOfUser else { return false }
            }
            return running.values.count { $0.place.kind == place.kind } < place.most
                && running.values.count { $0.place == place } < PageFetcher.widthOfServer
        }
    }

    private let state: Mutex<State>
    private let hold: WriteHold

    /// Creates a fetcher; libcurl must have been set up (see ``CurlTransfer``).
    ///
    /// - Parameter hold: The hold on writing that covers pages.
    public init(configuration: CurlTransferConfiguration, hold: WriteHold = WriteHold()) {
        self.hold = hold
        state = Mutex(State(configuration: configuration))
    }

    /// Applies new settings to the pages requested from now on.
    public func reconfigure(_ configuration: CurlTransferConfiguration) {
        state.withLock { $0.configuration = configuration }
    }

    /// Stops writing to pages, which fail as on a full disk if they have more to write, and all that is held with
    /// them; returns once nothing is being written, or false if that takes longer than two seconds.
    public func holdWriting() -> Bool { hold.hold() }

    /// Resumes writing.
    public func goOnWriting() { hold.end() }

    /// Gives up all pages, and refuses any further ones.
    public func shutdown() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            for page in state.running.values { page.order.cancel() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for page in waiting { page.answer.resume(returning: .failure(.cancelled)) }
    }

    /// Fetches a page into its file, following redirects.
    ///
    /// Cancelling the task gives the page up: at once if its turn hasn't come, otherwise within a second.
    public func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> {
        let order = PageOrder()
        let configuration = state.withLock { $0.configuration }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                enqueue(
                    Waiting(request: request, configuration: configuration, order: order, answer: answer)
                )
            }
        } onCancel: {
            giveUp(order)
        }
    }

    /// Writes a page that somebody has handed over to a file, by the rules for those that are fetched.
    ///
    /// Returns why it can't be written; nil if it was.
    public func keep(_ page: [UInt8], in file: String) -> JobFailure? {
        let configuration = state.withLock { $0.configuration }
        let descriptor = configuration.ceiling.admit(
            open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        )
        guard descriptor >= 0 else { return PageSpool.failure(errno) }
        defer { close(descriptor) }
        var spool = PageSpool(file: descriptor, reserve: configuration.diskReserve, hold: hold)
        return page.withUnsafeBytes { spool.write($0, announced: Int64(page.count)) }
    }

    private func enqueue(_ new: Waiting) {
        let isWanted = state.withLock { state in
            guard !state.hasEnded, !new.order.isCancelled else { return false }
            state.waiting.append(new)
            return true
        }
        guard isWanted else { return new.answer.resume(returning: .failure(.cancelled)) }
        startNext()
    }

    private func giveUp(_ order: PageOrder) {
        // This comes first: a page that hasn't arrived in the queue yet finds out there.
        order.cancel()
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.waiting.firstIndex(where: { $0.order === order }) else { return nil }
            return state.waiting.remove(at: index)
        }
        waiting?.answer.resume(returning: .failure(.cancelled))
    }

    /// Begins to fetch the next page if one may be fetched.
    private func startNext() {
        let next = state.withLock { state -> Waiting? in
            guard let index = state.waiting.firstIndex(where: { state.hasRoom(for: $0) })
            else { return nil }
            let next = state.waiting.remove(at: index)
            state.running[ObjectIdentifier(next.order)] = (next.order, next.place, next.request.user)
            return next
        }
        guard let next else { return }
        // A serial queue gets a thread at once. Blocks of a concurrent one, of which dispatch runs as many as
        // there are processors, would wait for each other.
        DispatchQueue(label: "facefetch.page").async { [self] in
            let result = PageTransfer(next.request, next.configuration, next.order, hold).run()
            state.withLock { $0.running[ObjectIdentifier(next.order)] = nil }
            startNext()
            next.answer.resume(returning: result)
        }
    }
}

/// A requested page that any thread may cancel.
final class PageOrder: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }
    func cancel() { flag.store(true, ordering: .relaxed) }
}
