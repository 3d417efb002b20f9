import CCurl
import Glibc
import JobCore
import Logging

/// The life of the transfer thread: it takes messages, lets libcurl work,
/// and reports, turn after turn.
///
/// Explicitly not Sendable: it is made, used and gone on one thread.
final class TransferLoop: TransferSlotOwner {
    private(set) var configuration: CurlTransferConfiguration
    private let mailbox: TransferMailbox
    private let logger: Logger
    private let report: CurlTransfer.ReportHandler
    private let multi: UnsafeMutableRawPointer

    private var active: [JobID: TransferSlot] = [:]
    private var idle: [TransferSlot] = []
    private var dirty: [TransferSlot] = []
    private var paused: [TransferSlot] = []
    private var bucket: RateBucket?
    private var reports: [(JobID, TransferReport)] = []
    /// Milliseconds of the monotonic clock, as of this turn.
    private var now: Int64 = 0

    /// Bytes of an unwanted body that are worth reading to keep the connection.
    private static let drainLimit: Int64 = 64 * 1024
    /// Milliseconds between two reports of one transfer's progress.
    private static let progressInterval: Int64 = 100
    /// Milliseconds after which paused transfers get another share of the total rate.
    private static let rateInterval: Int32 = 20
    /// Slots that are kept for later.
    private static let idleLimit = 256

    /// Nil when libcurl has no memory for a multi handle.
    init?(
        configuration: CurlTransferConfiguration,
        mailbox: TransferMailbox,
        logger: Logger,
        report: @escaping CurlTransfer.ReportHandler
    ) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.configuration = configuration
        self.mailbox = mailbox
        self.logger = logger
        self.report = report
        now = Self.milliseconds()
        apply(configuration)
        mailbox.attach(multi)
    }

    deinit {
        mailbox.attach(nil)
        for slot in active.values { curl_multi_remove_handle(multi, slot.easy) }
        active = [:]
        idle = []
        curl_multi_cleanup(multi)
    }

    /// Works until the mailbox says that it is over.
    func run() {
        while true {
            let contents = mailbox.drain()
            if contents.isShutDown { return }
            now = Self.milliseconds()
            for message in contents.messages { take(message) }
            resumePaused()
            var running: Int32 = 0
            _ = curl_multi_perform(multi, &running)
            finishEnded()
            reportProgress()
            deliver()
            _ = curl_multi_poll(multi, nil, 0, timeout, nil)
        }
    }

    private func take(_ message: TransferMailbox.Message) {
        switch message {
        case .start(let requests): for request in requests { start(request) }
        case .stop(let jobs): for job in jobs { stop(job) }
        case .reconfigure(let configuration): apply(configuration)
        case .answer(let answer): answer()
        }
    }

    /// How long to wait for the network; libcurl's own timers shorten it.
    private var timeout: Int32 {
        if !paused.isEmpty { return Self.rateInterval }
        return dirty.isEmpty ? 3_600_000 : Int32(Self.progressInterval)
    }

    private func apply(_ configuration: CurlTransferConfiguration) {
        self.configuration = configuration
        _ = CCurl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, configuration.connectionCacheSize)
        bucket = configuration.totalRateLimit.map { RateBucket(rate: $0, now: now) }
        // Active transfers end as they began.
        for slot in idle { slot.apply(configuration) }
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

// MARK: - Beginnings and ends

extension TransferLoop {
    private func start(_ request: TransferRequest) {
        guard active[request.job] == nil else {
            logger.error(
                "a second transfer was asked for while one is active",
                metadata: ["job": "\(request.job)"]
            )
            return
        }
        let url: JobURL
        do {
            url = try configuration.policy.permitted(request.url)
        } catch {
            reports.append((request.job, .ended(.refused(error))))
            return
        }
        if let resume = request.resume, resume.isComplete {
            finishComplete(request, resume)
            return
        }
        guard let slot = slot(for: request, at: url) else {
            let failure = JobFailure(.connectFailed, "there is no memory for another transfer")
            reports.append((request.job, .ended(.interrupted(failure, retryAfter: nil))))
            return
        }
        active[request.job] = slot
        send(slot)
    }

    /// A partial that has every byte already needs no server.
    private func finishComplete(_ request: TransferRequest, _ resume: ResumePoint) {
        let start = TransferStart(
            mode: .resumed,
            offset: resume.offset,
            total: resume.total,
            validator: resume.validator
        )
        do {
            _ = try PartialFile.open(request.partialPath, for: start)
            reports.append((request.job, .began(start)))
            reports.append((request.job, .progressed(bytes: resume.offset)))
            reports.append((request.job, .ended(.completed(length: resume.offset, lengthProven: true))))
        } catch {
            reports.append((request.job, .ended(error.end)))
        }
    }

    private func slot(for request: TransferRequest, at url: JobURL) -> TransferSlot? {
        let slot = idle.popLast() ?? TransferSlot(owner: self, request: request)
        slot?.reuse(for: request, at: url)
        return slot
    }

    private func send(_ slot: TransferSlot) {
        slot.prepareRequest(configuration)
        curl_multi_add_handle(multi, slot.easy)
    }

    private func stop(_ job: JobID) {
        guard let slot = active[job] else { return }
        curl_multi_remove_handle(multi, slot.easy)
        end(slot, .stopped)
    }

    private func finishEnded() {
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = CCurl_easy_private(easy)
            else { continue }
            // The message is gone once its handle is removed.
            let result = CCurl_message_result(message)
            let slot = Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
            curl_multi_remove_handle(multi, easy)
            finish(slot, result)
        }
    }

    /// libcurl is done with a request: says what that means for the transfer.
    private func finish(_ slot: TransferSlot, _ result: CURLcode) {
        if let failure = slot.failure { return end(slot, failure) }
        switch slot.verdict {
        case .redirect(let target):
            do {
                try slot.trail.follow(target, policy: configuration.policy)
                send(slot)
            } catch {
                end(slot, .refused(error))
            }
        case .mustRestart(let reason):
            end(slot, .mustRestart(reason: reason))
        case .interrupted(let failure, let retryAfter):
            end(slot, .interrupted(failure, retryAfter: retryAfter))
        case .refused(let failure):
            end(slot, .refused(failure))
        case .complete(let length):
            end(slot, .completed(length: length, lengthProven: true))
        case .accept(let start):
            end(slot, result == CURLE_OK ? arrival(slot, start) : outcome(slot, result))
        case nil:
            end(slot, outcome(slot, result == CURLE_OK ? CURLE_WEIRD_SERVER_REPLY : result))
        }
    }

    /// A body came to its end: the file is complete, unless the server kept something back.
    private func arrival(_ slot: TransferSlot, _ start: TransferStart) -> TransferEnd {
        let length = slot.file?.length ?? 0
        if let total = start.total, length < total {
            return .interrupted(
                JobFailure(.truncated, "\(slot.place) sent \(length) of \(total) bytes"),
                retryAfter: nil
            )
        }
        return .completed(length: length, lengthProven: slot.reader.isFramed)
    }

    private func outcome(_ slot: TransferSlot, _ result: CURLcode) -> TransferEnd {
        if result == CURLE_COULDNT_CONNECT, slot.deniedAddress, !slot.allowedAddress {
            return .refused(
                JobFailure(.deniedNetwork, "\(slot.place) lies in a network that the settings deny")
            )
        }
        return CurlOutcome(result, phase: slot.phase, place: slot.place, detail: slot.detail).end
    }

    private func end(_ slot: TransferSlot, _ end: TransferEnd) {
        if slot.isPaused { paused.removeAll { $0 === slot } }
        if slot.isDirty {
            dirty.removeAll { $0 === slot }
            progress(slot)
        }
        active[slot.job] = nil
        reports.append((slot.job, .ended(end)))
        slot.release()
        if idle.count < Self.idleLimit { idle.append(slot) }
    }
}

// MARK: - What arrives

extension TransferLoop {
    func headArrived(_ slot: TransferSlot) -> Bool {
        let head = slot.reader.head
        let verdict = ResponseVerdict(
            to: head,
            url: slot.trail.current,
            resume: slot.request.resume,
            policy: configuration.policy,
            now: Self.wallClock()
        )
        slot.verdict = verdict
        switch verdict {
        case .accept(let start):
            return accept(slot, start)
        case .complete(let length):
            guard let resume = slot.request.resume else { return false }
            let start = TransferStart(
                mode: .resumed,
                offset: length,
                total: length,
                validator: resume.validator
            )
            return accept(slot, start) && discard(slot, head)
        case .mustRestart, .redirect, .interrupted, .refused:
            return discard(slot, head)
        }
    }

    private func accept(_ slot: TransferSlot, _ start: TransferStart) -> Bool {
        do {
            slot.file = try PartialFile.open(slot.request.partialPath, for: start)
        } catch {
            slot.failure = error.end
            return false
        }
        slot.body = .wanted(end: start.total)
        slot.reportedLength = start.offset
        slot.reportedAt = now
        reports.append((slot.job, .began(start)))
        return true
    }

    /// Reads a small body for the connection's sake, and breaks off a large one.
    private func discard(_ slot: TransferSlot, _ head: ResponseHead) -> Bool {
        slot.body = .unwanted
        return head.contentLength.map { $0 <= Self.drainLimit } ?? false
    }

    func bodyArrived(_ slot: TransferSlot, _ bytes: UnsafeRawBufferPointer) -> Int {
        switch slot.body {
        case .undecided:
            return 0
        case .unwanted:
            return bytes.count
        case .wanted(let end):
            if bucket != nil {
                if bucket?.hasBytes == false {
                    hold(slot)
                    return Int(CURL_WRITEFUNC_PAUSE)
                }
                bucket?.take(bytes.count)
            }
            return store(bytes, slot, end: end) ? bytes.count : 0
        }
    }

    private func store(_ bytes: UnsafeRawBufferPointer, _ slot: TransferSlot, end: Int64?) -> Bool {
        let length = (slot.file?.length ?? 0) + Int64(bytes.count)
        if let end, length > end {
            slot.failure = .mustRestart(reason: "the server sent more bytes than it announced")
            return false
        }
        if let maximum = configuration.policy.maximumLength, length > maximum {
            slot.failure = .refused(.tooLarge(length, maximum: maximum))
            return false
        }
        do {
            try slot.file?.append(bytes)
        } catch {
            slot.failure = error.end
            return false
        }
        if !slot.isDirty {
            slot.isDirty = true
            dirty.append(slot)
        }
        return true
    }

    private static func wallClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

// MARK: - Progress and rate

extension TransferLoop {
    private func reportProgress() {
        dirty.removeAll { slot in
            guard now - slot.reportedAt >= Self.progressInterval else { return false }
            progress(slot)
            return true
        }
    }

    private func progress(_ slot: TransferSlot) {
        slot.isDirty = false
        slot.reportedAt = now
        guard let length = slot.file?.length, length != slot.reportedLength else { return }
        slot.reportedLength = length
        reports.append((slot.job, .progressed(bytes: length)))
    }

    private func deliver() {
        guard !reports.isEmpty else { return }
        let turn = reports
        reports.removeAll(keepingCapacity: true)
        report(turn)
    }

    private func hold(_ slot: TransferSlot) {
        guard !slot.isPaused else { return }
        slot.isPaused = true
        paused.append(slot)
    }

    /// Lets held transfers go on, the longest held first, while there are bytes to give out.
    private func resumePaused() {
        bucket?.fill(now: now)
        guard !paused.isEmpty else { return }
        let held = paused
        paused = []
        for (index, slot) in held.enumerated() {
            guard bucket?.hasBytes != false else {
                paused += held[index...]
                return
            }
            slot.isPaused = false
            // This calls back with the bytes that libcurl kept, and may hold the slot again.
            curl_easy_pause(slot.easy, CURLPAUSE_CONT)
        }
    }
}
