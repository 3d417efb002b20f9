import ControlAPI
import HTTPServer
import HTTPTypes

@testable import ControlServer
@testable import JobCore
@testable import JobModel

/// A request to the control socket, and what is decided about it by its head.
enum RequestHeadTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let head = RequestLines(bytes, authority: "localhost")?.head else { return nil }
        let request = Request(head)
        try checkTags(in: head.headerFields[.ifNoneMatch] ?? "")
        try checkAttachment(head.path ?? "")
        let admission: Admission
        do throws(Admission.Refusal) {
            admission = try Admission(request, maximumBodySize: 1000)
        } catch {
            let detail = error.problem.detail
            try promise(
                !detail.isEmpty && detail.utf8.count < 1000,
                "a reason has \(detail.utf8.count) bytes"
            )
            return nil
        }
        try promise(head.headerFields[.origin] == nil, "a web page was let in")
        let host = (head.authority ?? "").lowercased()
        try promise(host.isEmpty || host.prefix { $0 != ":" } == "localhost", "it answers as \(host)")
        let route = admission.route
        try promise(
            route.endpoint.method == head.method || admission.headOnly && head.method == .head,
            "\(head.method) does what another method does"
        )
        if route.endpoint.path.hasID { try promise(route.match.id > 0, "there is no job \(route.match.id)") }
        if route.endpoint.path.hasName {
            try promise(
                (1...63).contains(route.match.name.utf8.count) && !route.match.name.contains("/"),
                "no source is named \(route.match.name)"
            )
        }
        _ = try? Call(request, route, body: [], client: nil)
        if route.endpoint.path.hasName { return route.match.name }
        return route.endpoint.path.hasID ? "\(route.match.id)" : nil
    }

    private static func checkTags(in field: String) throws(BrokenPromise) {
        guard let tags = EntityTags(field) else { return }
        let own = EntityTags.tag(of: Array(field.utf8))
        try promise(
            tags.have(own) == (field == "*" || field.contains(own)),
            "an answer is left out that nobody has"
        )
        guard let mine = EntityTags(own) else { throw BrokenPromise(description: "our own tag is none") }
        try promise(mine.have(own), "our own tag isn't known again")
    }

    /// A name is the same for whoever saves the document.
    private static func checkAttachment(_ path: String) throws(BrokenPromise) {
        let name = DocumentName.sanitized(path)
        let field = Attachment.disposition(name)
        try promise(
            field.utf8.allSatisfy { (0x20...0x7E).contains($0) },
            "a name is more than a header field may be"
        )
        try promise(ContentDisposition.fileName(in: field) == name, "\(name) is saved under another name")
    }
}
