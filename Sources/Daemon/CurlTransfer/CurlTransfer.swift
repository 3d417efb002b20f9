import CCurl
import Dispatch
import Glibc
import JobModel
import Logging
import Synchronization
import Vocabulary

/// Fetches URLs into partials, on one thread of its own that owns all of libcurl's state.
///
/// It only knows active transfers. The order of jobs, retries, and the further fate of a partial are
/// decided elsewhere.
public final class CurlTransfer: Sendable {
    /// A handler for the reports of transfers.
    ///
    /// It is called on the transfer thread with all reports of one turn of its loop, in order. It must
    /// be quick, because nothing is fetched while it runs.
    public typealias ReportHandler = @Sendable ([(JobID, TransferReport)]) -> Void

    private let segmentTable: SegmentTable?
    private let mailbox = TransferMailbox()
    private let thread: Mutex<BlockingThread?>

    /// Starts the transfer thread.
    ///
    /// From here on, SIGPIPE is ignored in the whole process, because TLS writes to sockets that the
    /// other side has closed.
    ///
    /// - Parameter segmentTable: The table that notes the content of segments; without it, a kill may cost several
    ///   megabytes of each transfer in segments.
    public init(
        configuration: CurlTransferConfiguration,
        segmentTable: SegmentTable? = nil,
        logger: Logger,
        whenAtRest: @escaping @Sendable () -> Void = {},
        report: @escaping ReportHandler
    ) throws(CurlTransferError) {
        guard Self.libcurlResult == CURLE_OK else {
            throw .libcurl(String(cString: curl_easy_strerror(Self.libcurlResult)))
        }
        signal(SIGPIPE, SIG_IGN)
        self.segmentTable = segmentTable
        if !configuration.deniedNetworks.isEmpty, let proxy = Self.proxyVariable {
            logger.warning(
                "\(proxy) is set: through a proxy, denied networks are recognized only by addresses in URLs, not by names"
            )
        }
        let mailbox = mailbox
        let isReady = DispatchSemaphore(value: 0)
        let thread = try BlockingThread {
            let loop = TransferLoop(
                configuration: configuration,
                segmentTable: segmentTable,
                mailbox: mailbox,
                logger: logger,
                whenAtRest: whenAtRest,
                report: report
            )
            isReady.signal()
            loop?.run()
        }
        isReady.wait()
        self.thread = Mutex(thread)
        guard mailbox.isAttached else {
            shutdown()
            throw .libcurl(MultiHandle.lack)
        }
    }

    deinit { shutdown() }

    /// Starts transfers; a job that already has one keeps it.
    public func start(_ requests: [TransferRequest]) {
        if !requests.isEmpty { mailbox.send(.start(requests)) }
    }

    /// Tells transfers that their last report is in the store: either that they start from zero, or
    /// which segments they hold.
    ///
    /// A transfer that starts from zero empties its partial only now. One in segments may have holes in
    /// its partial from the first confirmation on, whatever its length; until the next confirmation, it
    /// fetches only as much as may be lost.
    public func confirm(_ jobs: [JobID]) {
        if !jobs.isEmpty { mailbox.send(.confirm(jobs)) }
    }

    /// Returns what a killed daemon has left of a version of a file in a partial with holes, beyond what the
    /// store knows of it; nil if that isn't known, or a transfer has used the partial since.
    ///
    /// It isn't synced.
    public func survivingSegments(
        of job: JobID,
        at partialPath: String,
        total: Int64,
        validator: Validator
    ) -> SegmentMap? {
        segmentTable?.surviving(of: job, at: partialPath, total: total, validator: validator)
    }

    /// Stops transfers, each of which reports `.ended(.stopped)` and keeps its bytes on the disk, or `.ended(.unsent)`.
    ///
    /// A transfer that has ended already reports nothing more.
    public func stop(_ jobs: [JobID]) {
        if !jobs.isEmpty { mailbox.send(.stop(jobs)) }
    }

    /// Ends those of the transfers that wait for others of their hosts (``TransferRequest/turn``), each of which reports
    /// `.ended(.unsent)`; the others go on.
    public func recall(_ jobs: [JobID]) { if !jobs.isEmpty { mailbox.send(.recall(jobs)) } }

    /// Forgets that a host, named like ``JobURL/hostKey``, has asked everybody to wait, so that redirects may lead there
    /// again.
    public func release(_ host: String) { mailbox.send(.release(host: host)) }

    /// Stops writing to partials, making connections wait; returns once nothing is being written, or
    /// false if that takes longer than two seconds.
    public func holdWriting() -> Bool {
        let isHeld = DispatchSemaphore(value: 0)
        // After the shutdown nothing is written.
        guard mailbox.send(.hold { isHeld.signal() }) else { return true }
        return isHeld.wait(timeout: .now() + .seconds(2)) == .success
    }

    /// Resumes writing.
    public func goOnWriting() { mailbox.send(.goOn) }

    /// Applies new settings to transfers that start from now on.
    public func reconfigure(_ configuration: CurlTransferConfiguration) {
        mailbox.send(.reconfigure(configuration))
    }

    /// Limits all transfers together, also those under way, to this many bytes per second, or to what the
    /// configuration says if that is less; nil for that alone.
    ///
    /// No rate is to be lower than ``CurlTransferConfiguration/lowestRateLimit``.
    public func limitRate(to rate: Int64?) { mailbox.send(.limitRate(rate)) }

    /// Calls back from the transfer thread, as proof that it isn't stuck.
    public func checkIn(_ answer: @escaping @Sendable () -> Void) {
        mailbox.send(.answer(answer))
    }

    /// Stops every transfer and joins the thread, keeping partials.
    ///
    /// The last reports are of segments held; ends of transfers are not reported. Returns within a
    /// second, or three if the disk is slow. Further calls do nothing.
    public func shutdown() {
        mailbox.shutDown()
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    /// The name of the environment variable that sends transfers through a proxy, if one does.
    ///
    /// libcurl reads these names; `HTTP_PROXY` in capitals is not one of them.
    public static var proxyVariable: String? {
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].first { name in
            getenv(name).map { $0.pointee != 0 } ?? false
        }
    }

    /// The result of setting up libcurl, once per process; it is never cleaned up.
    private static let libcurlResult = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
}
