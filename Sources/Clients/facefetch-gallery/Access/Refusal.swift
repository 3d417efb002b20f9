import ControlAPI

/// The reason why a request isn't carried out, as the gallery itself says it.
struct Refusal: Error, Hashable, Sendable {
    /// The status code.
    let status: Int
    /// A stable name, for programs.
    let code: String
    /// One sentence for people.
    let detail: String

    static let malformed = Refusal(
        status: 400,
        code: "malformed_request",
        detail: "a request needs exactly one Host and a path; open the address that the gallery has printed"
    )
    static let otherHost = Refusal(
        status: 421,
        code: "other_host",
        detail: "this gallery answers only under the address that it has printed"
    )
    static let otherUser = Refusal(
        status: 403,
        code: "other_user",
        detail: "this gallery belongs to another user of this machine; run \"facefetch gallery\" yourself"
    )
    static let otherSite = Refusal(
        status: 403,
        code: "other_site",
        detail: "this was not asked for by the gallery's own page"
    )
    static let noCookie = Refusal(
        status: 401,
        code: "no_session",
        detail: "open the link that \"facefetch gallery\" has printed; Enter in its terminal prints a new one"
    )
    static let badPrefix = Refusal(
        status: 401,
        code: "bad_prefix",
        detail: "this page has not been let in; open the link that \"facefetch gallery\" has printed"
    )
    static let badSecret = Refusal(
        status: 403,
        code: "bad_secret",
        detail: "this page has not been let in; open the link that \"facefetch gallery\" has printed"
    )
    static let badToken = Refusal(
        status: 403,
        code: "bad_token",
        detail: "this link has been used, or is older than a minute; Enter in the terminal prints a new one"
    )
    static let notFound = Refusal(status: 404, code: "not_found", detail: "the gallery has nothing there")
    static let badArchive = Refusal(
        status: 400,
        code: "bad_archive",
        detail: "an archive is asked for as /pictures.zip?ids=1,2,3, with \(ArchiveRequest.most) jobs at most"
    )
    static let noDaemon = Refusal(
        status: 503,
        code: "daemon_unreachable",
        detail: "the daemon can't be reached; it is asked again by itself"
    )
    static let daemonBroke = Refusal(
        status: 502,
        code: "daemon_unreachable",
        detail: "the daemon ended in the middle of its answer; it is asked again by itself"
    )

    /// As a problem document (RFC 9457).
    var problem: ProblemJSON {
        let titles = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            421: "Misdirected Request",
        ]
        let other = status == 503 ? "Service Unavailable" : "Bad Gateway"
        return ProblemJSON(title: titles[status] ?? other, status: status, code: code, detail: detail)
    }
}
