import HTTPServer
import NIOHTTP1

/// Brings the head of a request into the one form that is decided about.
///
/// A head can name its host twice: in several Host fields, and in a target in absolute form. It can also name none
/// of it in a way that another reader takes for a name.
enum RequestTarget {
    /// A target that is no path here.
    static let none = "*"

    /// The head with one Host field at most, and a path as its target.
    ///
    /// Several hosts are joined into one that isn't any (RFC 9112 §3.2). The host of an absolute target is the one
    /// that is asked (§3.2.2). A connection that the client wants to end after this request says so in one word.
    static func plain(_ head: HTTPRequestHead) -> HTTPRequestHead {
        var head = head
        let hosts = head.headers["Host"]
        if hosts.count > 1 { head.headers.replaceOrAdd(name: "Host", value: hosts.joined(separator: ",")) }
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        guard head.uri.utf8.first != UInt8(ascii: "/") else { return head }
        guard let target = AbsoluteTarget(head.uri) else {
            head.uri = none
            return head
        }
        head.uri = target.path
        if hosts.count == 1 { head.headers.replaceOrAdd(name: "Host", value: target.host) }
        return head
    }
}
