import JobCore
import JobModel
import Vocabulary

/// The heads of answers, of which the real rules (JobCore) say what they mean.
extension Web {
    func head(
        _ kind: SimulatedHost.Kind,
        _ host: SimulatedHost,
        path: Int,
        _ file: ServerFile,
        _ resume: ResumePoint?,
        _ chance: inout Chance,
        at seconds: Double
    ) -> ResponseHead {
        switch kind {
        case .busy: return refusal(429, waits: String(chance.integer(1...5000)))
        case .busyWordless: return refusal(429)
        case .busyPath where path % 8 == 0: return refusal(429)
        case .failing: return refusal(503)
        case .failingPolitely: return refusal(503, waits: String(chance.integer(1...5000)))
        case .failingPath where path % 8 == 0: return refusal(503)
        case .erring where chance.happens(0.5): return refusal(chance.pick([500, 502]))
        case .quota:
            var head = refusal(403)
            (head.rateLimitRemaining, head.rateLimitReset) = ("0", String(chance.integer(1...4000)))
            return head
        case .forbidding: return refusal(403)
        case .missing where path % 4 == 0: return refusal(404)
        case .redirecting: return redirect(to: (host.number + 1) % hosts.count, path: path)
        case .looping: return redirect(to: host.number, path: path)
        case .paging:
            var head = ResponseHead(status: 200)
            (head.contentType, head.contentLength) = ("text/html", 900)
            return head
        default: return body(kind, file, resume)
        }
    }

    private func refusal(_ status: Int, waits: String? = nil) -> ResponseHead {
        var head = ResponseHead(status: status)
        (head.contentLength, head.retryAfter) = (0, waits)
        return head
    }

    private func redirect(to host: Int, path: Int) -> ResponseHead {
        var head = ResponseHead(status: 302)
        head.location = "http://h\(host).example/p\(path).jpg"
        return head
    }

    private func body(_ kind: SimulatedHost.Kind, _ file: ServerFile, _ resume: ResumePoint?) -> ResponseHead
    {
        var head = ResponseHead(status: 200)
        head.contentType = "image/jpeg"
        guard kind != .lengthless else { return head }
        head.entityTag = "\"\(file.version)\""
        head.contentLength = kind == .empty ? 0 : file.length
        guard let resume, kind != .rangeless, kind != .empty else { return head }
        // If-Range: the rest of this version, or another one as a whole.
        guard resume.validator == .entityTag("\"\(file.version)\"") else { return head }
        guard resume.offset < file.length else {
            head = refusal(416)
            (head.contentRange, head.entityTag) = ("bytes */\(file.length)", "\"\(file.version)\"")
            return head
        }
        head.status = 206
        head.contentRange = "bytes \(resume.offset)-\(file.length - 1)/\(file.length)"
        head.contentLength = file.length - resume.offset
        return head
    }
}
