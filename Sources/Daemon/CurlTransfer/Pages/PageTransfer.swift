import CCurl
import Glibc
import JobCore
import JobModel
import Vocabulary

/// One page on its way, redirects included: made, used and gone on one thread.
final class PageTransfer: NetworkWatch {
    let addressRules: AddressRules
    let usesProxy = CurlTransfer.proxyVariable != nil
    var ceiling: DescriptorCeiling { configuration.ceiling }
    private let request: PageRequest
    private let configuration: CurlTransferConfiguration
    private let policy: TransferPolicy
    private let order: PageOrder
    private let hold: WriteHold

    init(
        _ request: PageRequest,
        _ configuration: CurlTransferConfiguration,
        _ order: PageOrder,
        _ hold: WriteHold
    ) {
        self.hold = hold
        self.request = request
        self.configuration = configuration
        self.order = order
        addressRules = configuration.addressRules
        var policy = configuration.policy
        policy.plainHTTP = request.plainHTTP ?? policy.plainHTTP
        self.policy = policy
    }

    func run() -> Result<PageAnswer, PageFetchError> {
        let file = ceiling.admit(
            open(request.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        )
        guard file >= 0 else { return .failure(.storage(PageSpool.failure(errno))) }
        defer { close(file) }
        let spool = PageSpool(file: file, reserve: configuration.diskReserve, hold: hold)
        do throws(JobFailure) {
            let url = try policy.permitted(request.url)
            let handle = PageHandle(
                network: self,
                url: url,
                request: request,
                configuration: configuration,
                order: order,
                spool: spool
            )
            guard let handle else { throw Self.noMemory }
            return try fetch(handle, home: url)
        } catch {
            return .failure(.refused(error))
        }
    }

    private func fetch(
        _ handle: PageHandle,
        home: JobURL
    ) throws(JobFailure) -> Result<PageAnswer, PageFetchError> {
        var body = request.body
        while true {
            guard !order.isCancelled else { return .failure(.cancelled) }
            // A picture is asked about as it was fetched, with its fields for one origin.
            let trail = handle.trail
            let isOwn = request.wantsHeadOnly ? trail.isAtHome : home.origin.covers(trail.current.origin)
            guard body == nil || isOwn else {
                throw JobFailure(
                    .refusedRedirect,
                    "\(handle.place) isn't the server that the request's body is for, and was redirected to"
                )
            }
            let fields = fields + (isOwn ? request.ownFields : [])
            guard handle.beginPage(fields: fields, body: body) else { throw Self.noMemory }
            let literal = IPAddress(host: handle.trail.current.host)
            if let refusal = literal.flatMap({ handle.refusal(of: $0, isNamed: true) }) {
                throw refusal.failure(at: handle.place)
            }
            let result = curl_easy_perform(handle.easy)
            if let failure = failure(of: handle, result) { return .failure(failure) }
            guard request.signature == nil, [301, 302, 303, 307, 308].contains(handle.status),
                let location = handle.fields.first(where: { $0.name.lowercased() == "location" })?.value
            else {
                return .success(answer(of: handle))
            }
            // The others leave the method as it is, or may (RFC 9110 §15.4).
            if handle.status == 303 { body = nil }
            try handle.follow(target(location, of: handle), policy)
        }
    }

    private static let noMemory = JobFailure(
        .outOfResources,
        "there is not enough memory for another request"
    )

    /// The fields that every request sends.
    private var fields: [PageRequest.Field] {
        // Servers that have a picture in several forms have validators for each.
        request.wantsHeadOnly
            ? [.init(name: "Accept", value: policy.acceptField)] + request.fields : request.fields
    }

    private func answer(of handle: PageHandle) -> PageAnswer {
        var answer = PageAnswer(
            status: handle.status,
            fields: handle.fields,
            url: handle.trail.current,
            length: handle.length
        )
        answer.isAcceptedType = policy.accepts(contentType: answer.values("content-type").first)
        return answer
    }

    private func target(_ location: String, of handle: PageHandle) throws(JobFailure) -> JobURL {
        do throws(JobURL.Refusal) {
            return try handle.trail.current.redirected(to: location)
        } catch {
            throw JobFailure(
                .refusedRedirect,
                "\(handle.place) redirected to what can't be fetched: \(error.message)"
            )
        }
    }

    private func failure(of handle: PageHandle, _ result: CURLcode) -> PageFetchError? {
        if let failure = handle.failure { return failure }
        // Enough of an error's body was read.
        if handle.isSatisfied { return nil }
        if order.isCancelled { return .cancelled }
        guard result != CURLE_OK else {
            return handle.status == 0
                ? .connection(JobFailure(.protocolError, "\(handle.place) sent no answer")) : handle.defect
        }
        if result == CURLE_COULDNT_CONNECT, let refusal = handle.refusedAddress, !handle.allowedAddress {
            return .refused(refusal.failure(at: handle.place))
        }
        if let shortage = Shortage(result, socketError: handle.socketError, ceiling: ceiling)?.failure {
            return .connection(shortage)
        }
        let phase = handle.status != 0 ? .receiving : handle.phaseBeforeHead
        let outcome = CurlOutcome(result, phase: phase, place: handle.place, detail: handle.detail)
        return .connection(JobFailure(outcome.code, outcome.message))
    }
}
