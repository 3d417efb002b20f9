import CCurl
import Dispatch
import Glibc
import JobCore
import Logging
import Synchronization

/// Fetches URLs into partials, on one thread of its own that owns all of libcurl.
///
/// Only active transfers are in here: who goes next, what is tried again and
/// what becomes of a finished partial is decided elsewhere.
public final class CurlTransfer: Sendable {
    /// Hears what became of transfers.
    ///
    /// Called on the transfer thread, with everything that one turn of its loop
    /// found, in order. It must be quick: while it runs, nothing is fetched.
    public typealias ReportHandler = @Sendable ([(JobID, TransferReport)]) -> Void

    private let mailbox = TransferMailbox()
    private let thread: Mutex<TransferThread?>

    /// Starts the transfer thread.
    ///
    /// SIGPIPE is ignored in the whole process from here on: TLS writes to
    /// sockets that the other side has closed.
    public init(
        configuration: CurlTransferConfiguration,
        logger: Logger,
        report: @escaping ReportHandler
    ) throws(CurlTransferError) {
        guard Self.libcurlResult == CURLE_OK else {
            throw .libcurl(String(cString: curl_easy_strerror(Self.libcurlResult)))
        }
        signal(SIGPIPE, SIG_IGN)
        if !configuration.deniedNetworks.isEmpty, let proxy = Self.proxyVariable {
            logger.warning(
                "\(proxy) is set: through a proxy, denied networks are recognized only by addresses in URLs, not by names"
            )
        }
        let mailbox = mailbox
        let isReady = DispatchSemaphore(value: 0)
        let thread = try TransferThread {
            let loop = TransferLoop(
                configuration: configuration,
                mailbox: mailbox,
                logger: logger,
                report: report
            )
            isReady.signal()
            loop?.run()
        }
        isReady.wait()
        self.thread = Mutex(thread)
        guard mailbox.isAttached else {
            shutdown()
            throw .libcurl("no memory")
        }
    }

    deinit { shutdown() }

    /// Begins transfers; a job that has one already keeps it.
    public func start(_ requests: [TransferRequest]) {
        if !requests.isEmpty { mailbox.send(.start(requests)) }
    }

    /// Tells transfers that what they last told of is in the store: that they start from zero, or which
    /// segments they hold.
    ///
    /// One that starts from zero empties its partial only now. One in segments may have holes in its
    /// partial from the first time on, whatever its length; until it is told again, it fetches only so
    /// much as may be lost.
    public func confirm(_ jobs: [JobID]) {
        if !jobs.isEmpty { mailbox.send(.confirm(jobs)) }
    }

    /// Stops transfers: each answers with `.ended(.stopped)`, its bytes kept on disk.
    ///
    /// A transfer that has ended already answers with nothing more.
    public func stop(_ jobs: [JobID]) {
        if !jobs.isEmpty { mailbox.send(.stop(jobs)) }
    }

    /// Stops writing to partials, and lets connections wait; returns when nothing is being written, or
    /// false where that takes longer than two seconds.
    public func holdWriting() -> Bool {
        let isHeld = DispatchSemaphore(value: 0)
        // After the end nothing is written.
        guard mailbox.send(.hold { isHeld.signal() }) else { return true }
        return isHeld.wait(timeout: .now() + .seconds(2)) == .success
    }

    /// Goes on writing.
    public func goOnWriting() { mailbox.send(.goOn) }

    /// Applies other settings to the transfers that begin from now on.
    public func reconfigure(_ configuration: CurlTransferConfiguration) {
        mailbox.send(.reconfigure(configuration))
    }

    /// Calls back from the transfer thread: proof that it is not stuck.
    public func checkIn(_ answer: @escaping @Sendable () -> Void) {
        mailbox.send(.answer(answer))
    }

    /// Stops every transfer and joins the thread; partials are kept.
    ///
    /// The last that is reported is what segments hold; that a transfer ended is not. Returns
    /// within a second, or three where the disk is slow. Further calls do nothing.
    public func shutdown() {
        mailbox.shutDown()
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    /// The environment variable that sends transfers through a proxy, if one does.
    ///
    /// These are the names that libcurl reads; `HTTP_PROXY` in capitals is not one of them.
    static var proxyVariable: String? {
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].first { name in
            getenv(name).map { $0.pointee != 0 } ?? false
        }
    }

    /// libcurl is set up once in a process, and never taken down.
    private static let libcurlResult = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
}
