import CCurl
import JobCore
import JobModel
import Vocabulary

/// Cookies, and the header fields that the settings have for a host.
///
/// libcurl keeps the cookies that the servers of one trail set, and sends them where they are for (RFC 6265). Those of the
/// settings are given to it at the first request to their host, so that a server can replace them for the rest of the
/// trail.
extension WatchedHandle {
    /// Has libcurl keep cookies in memory.
    func prepareCookies() {
        // CURLOPT_COOKIEFILE: an empty name turns the engine on, and reads nothing.
        _ = CCurl_easy_setopt_string(easy, CURLOPT_COOKIEFILE, "")
    }

    /// Follows a redirect, which may lead to the same URL again once a cookie has changed: servers set one so, to see
    /// whether it comes back.
    func follow(_ target: JobURL, _ policy: TransferPolicy) throws(JobFailure) {
        let cookies = cookieLines
        try trail.follow(target, policy: policy, mayRepeat: cookies != cookiesBefore)
        cookiesBefore = cookies
    }

    /// Goes on with the cookies of another handle, for one that fetches another part of the same file.
    func shareCookies(of other: WatchedHandle) {
        take(other.cookieLines)
        hostsWithCookies = other.hostsWithCookies
    }

    /// Goes on with cookies that another handle had.
    func take(_ cookies: [String]) {
        for line in cookies { _ = CCurl_easy_setopt_string(easy, CURLOPT_COOKIELIST, line) }
    }

    /// Sets the cookies of the current request: `own` is the field that the request has itself.
    func setCookies(_ own: String?, _ credentials: HostCredentials?) {
        let own = own.flatMap { $0.isEmpty ? nil : $0 }
        if let cookies = credentials?.cookies, !cookies.isEmpty {
            give(cookies, besides: own.map { Set(CookieField.names(in: $0)) } ?? [])
        }
        // A request has one Cookie field (RFC 6265 §5.4), to which libcurl adds this; what servers have set since goes
        // before what the request had at first.
        let isAsGiven = trail.count == 0 && hostsWithCookies.isEmpty
        let field = isAsGiven ? own : own.flatMap { CookieField.removing(namesOfCookies, from: $0) }
        _ = CCurl_easy_setopt_string(easy, CURLOPT_COOKIE, field)
    }

    private func give(_ cookies: [CookieFile.Cookie], besides names: Set<String>) {
        let host = trail.current.host
        guard hostsWithCookies.insert(host).inserted else { return }
        for cookie in cookies where cookie.isFor(host: host) && !names.contains(cookie.name) {
            // For this very host, and once it was asked by https, for that alone.
            let isSecure = cookie.isSecure || trail.current.scheme == "https"
            let fields = [
                host, "FALSE", cookie.path, isSecure ? "TRUE" : "FALSE", "\(cookie.expires)", cookie.name,
                cookie.value,
            ]
            _ = CCurl_easy_setopt_string(easy, CURLOPT_COOKIELIST, fields.joined(separator: "\t"))
        }
    }

    /// The names of libcurl's cookies for the current URL.
    private var namesOfCookies: Set<String> {
        CookieFile.names(inLines: cookieLines, for: trail.current.text)
    }

    /// libcurl's cookies, as lines of a cookies.txt.
    var cookieLines: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard CCurl_easy_getinfo_list(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var item = list
        while let entry = item?.pointee {
            lines.append(String(cString: entry.data))
            item = entry.next
        }
        return lines
    }

    /// Returns what the settings have for the current URL's host; nil for nothing.
    ///
    func credentials(_ configuration: CurlTransferConfiguration) -> HostCredentials? {
        configuration.credentials.due(on: trail)
    }

    /// Returns whether lines of header fields have one of this name, in lower case.
    static func has(_ name: String, in lines: [String]) -> Bool {
        lines.contains { $0.prefix { $0 != ":" && $0 != ";" }.lowercased() == name }
    }

    /// Returns the lines of those fields that a request with these lines hasn't itself.
    static func lines(of fields: [RequestHeader], besides lines: [String]) -> [String] {
        fields.filter { !has($0.name.lowercased(), in: lines) }.map(\.line)
    }
}

extension RequestHeader {
    /// True for the field of cookies, of which a request has one.
    var isCookie: Bool { name.lowercased() == "cookie" }

    /// The field as libcurl takes it, which would leave out one without a value but for the semicolon.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}
