import CCurl
import Glibc
import JobCore
import JobModel

/// Ends that aren't the fault of their transfers.
extension TransferLoop {
    /// Returns the end of a transfer whose host asks everybody to wait.
    func busy(_ slot: TransferSlot, _ failure: JobFailure, seconds: Double?) -> TransferEnd {
        let host = slot.trail.hostKey
        hosts.asksToWait(host, seconds: seconds, now: hostTime)
        if slot.trail.isAtHome, hosts.shares(host) { reports.append((slot.job, .shared(.unwilling))) }
        return .hindered(failure, by: .hostAsksToWait(host: host, seconds: seconds))
    }

    /// Returns the end of a transfer whose host answers 503 without a word of how long, or for which somebody answers
    /// 511; nil for any other answer.
    func failing(_ slot: TransferSlot, _ failure: JobFailure, _ retryAfter: Double?) -> TransferEnd? {
        if PortalSign.mayBe(failure.code, type: nil, askedOf: slot.trail.home, from: slot.trail.current) {
            return .hindered(failure, by: .page(from: nil))
        }
        guard failure.code == .http(503), retryAfter == nil else { return nil }
        return .hindered(failure, by: .hostFails(host: slot.trail.hostKey))
    }

    /// Returns the end of a transfer that is refused in a way that may say nothing about the file: by a host that asks
    /// for a browser, or with a page, over http or where that has led; nil for any other.
    func refusal(_ slot: TransferSlot, _ failure: JobFailure) -> TransferEnd? {
        if failure.code == .challenge { return .hindered(failure, by: .challenge(host: slot.trail.hostKey)) }
        let (home, current) = (slot.trail.home, slot.trail.current)
        let type = slot.answer.reader.head.contentType
        if PortalSign.mayBe(failure.code, type: type, askedOf: home, from: current) {
            return .hindered(failure, by: .page(from: String(current.masked.prefix { $0 != "?" })))
        }
        return proxyRefusal(failure)
    }

    /// Returns the end of a transfer that was led to a host which has asked everybody to wait, and isn't asked now;
    /// nil for any other host.
    func waitOfRedirect(_ slot: TransferSlot) -> TransferEnd? {
        let host = slot.trail.hostKey
        guard !slot.trail.isAtHome, let seconds = hosts.wait(of: host, now: hostTime) else { return nil }
        let failure = JobFailure(
            .http(429),
            "\(slot.place), where the server redirects to, asks everybody to wait"
        )
        return .hindered(failure, by: .hostAsksToWait(host: host, seconds: seconds))
    }

    /// Reports that a further request is about to be sent, to a host with a pace.
    func noteRequest(_ slot: TransferSlot) {
        let url = slot.trail.current
        guard configuration.hosts.limits(of: url.hostName).pace != nil else { return }
        reports.append((slot.job, .requested(host: url.hostKey)))
    }

    /// Returns the end of a transfer that a proxy has refused; nil if it was a server.
    ///
    /// Without a proxy, a 407 makes no sense, and is the server's (RFC 9110 §15.5.8).
    private func proxyRefusal(_ failure: JobFailure) -> TransferEnd? {
        guard usesProxy, failure.code == .http(407) else { return nil }
        return .hindered(Self.proxyAsksForPassword, by: .proxy)
    }

    /// Returns what has kept a request from its server; nil if that was the server itself, or somebody on the way
    /// has answered.
    func hindrance(_ slot: TransferSlot, _ result: CURLcode) -> Hindrance? {
        let unreached = Hindrance.unreached(host: slot.trail.hostKey)
        switch result {
        case CURLE_COULDNT_RESOLVE_PROXY: return .proxy
        case CURLE_COULDNT_RESOLVE_HOST: return unreached
        case CURLE_COULDNT_CONNECT:
            if isConnectedByProxy(slot) { return proxyHindrance(slot, unless: .proxy) }
            // Whoever refuses a connection is there.
            return slot.information(CURLINFO_OS_ERRNO) == Int(ECONNREFUSED) ? nil : unreached
        case CURLE_OPERATION_TIMEDOUT where slot.phase == .connecting && !slot.isConnected:
            return isConnectedByProxy(slot) ? .proxy : unreached
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .certificate(host: slot.trail.hostKey)
        case CURLE_RECV_ERROR where usesProxy: return proxyHindrance(slot, unless: nil)
        default: return nil
        }
    }

    /// Returns what a proxy's answer to the request for a tunnel says; `silence` where there was none.
    private func proxyHindrance(_ slot: TransferSlot, unless silence: Hindrance?) -> Hindrance? {
        switch connectStatus(slot) {
        case 0: silence
        case 407: .proxy
        // It got no answer, or is at its limit (RFC 9110 §15.6.3 to §15.6.5).
        case 502...504: .unreachedByProxy(host: slot.trail.hostKey)
        default: nil
        }
    }

    static let proxyAsksForPassword = JobFailure(
        .http(407),
        "the proxy answered 407 Proxy Authentication Required"
    )

    /// Returns a proxy's failure in words about the proxy, where libcurl's are about the host behind it; nil for any
    /// other failure.
    func proxyFailure(_ slot: TransferSlot, _ failure: JobFailure, _ hindrance: Hindrance) -> JobFailure? {
        if case .unreachedByProxy = hindrance {
            let status = connectStatus(slot)
            return JobFailure(
                .connectFailed,
                "the proxy answered \(status) when asked to connect to \(slot.place)"
            )
        }
        guard hindrance == .proxy else { return nil }
        if connectStatus(slot) == 407 { return Self.proxyAsksForPassword }
        return switch failure.code {
        case .connectFailed: JobFailure(failure.code, "the proxy does not accept connections")
        case .timedOut: JobFailure(failure.code, "connecting to the proxy took too long")
        default: failure
        }
    }

    /// Returns the status that a proxy has answered a request for a tunnel with; 0 for none.
    private func connectStatus(_ slot: TransferSlot) -> Int { slot.information(CURLINFO_HTTP_CONNECTCODE) }

    /// Returns whether a connection was to go to a proxy, and not past it (`NO_PROXY`), as libcurl's words say.
    private func isConnectedByProxy(_ slot: TransferSlot) -> Bool {
        usesProxy && !slot.detail.contains(" to \(slot.trail.current.host) port ")
    }
}

extension TransferSlot {
    /// Returns a number that libcurl has about the current request; 0 for none.
    func information(_ name: CURLINFO) -> Int {
        var value = 0
        return CCurl_easy_getinfo_long(easy, name, &value) == CURLE_OK ? value : 0
    }

    /// True if there was a connection for the current request.
    var isConnected: Bool { microseconds(CURLINFO_CONNECT_TIME_T) > 0 }

    /// The milliseconds that the current request's connection took to be made; nil where it was there before.
    var connectTime: Int64? {
        guard information(CURLINFO_NUM_CONNECTS) > 0 else { return nil }
        return (microseconds(CURLINFO_CONNECT_TIME_T) - microseconds(CURLINFO_NAMELOOKUP_TIME_T)) / 1000
    }

    /// The milliseconds that the answer to the current request took since it was sent.
    var timeToAnswer: Int64 {
        (microseconds(CURLINFO_STARTTRANSFER_TIME_T) - microseconds(CURLINFO_PRETRANSFER_TIME_T)) / 1000
    }

    /// Returns a time that libcurl has about the current request, in microseconds since it began; 0 for none.
    private func microseconds(_ name: CURLINFO) -> Int64 {
        var time: curl_off_t = 0
        return CCurl_easy_getinfo_offset(easy, name, &time) == CURLE_OK ? Int64(time) : 0
    }
}
