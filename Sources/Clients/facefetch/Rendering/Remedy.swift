/// Advises people what to do about a job that has failed, by the code of its failure.
enum Remedy {
    /// The words by which a host's reason says that it keeps programs away.
    static let asksForBrowser = "asks for a browser"

    /// Returns what helps where a host asks for a browser: who has done its task there has a cookie that says so.
    static func challenge(of host: String) -> String {
        let name = host.lastIndex(of: ":").map { String(host[..<$0]) } ?? host
        return
            "Open \(name) in a browser, do what it asks, and save its cookies as a cookies.txt, with an extension for "
            + "that. Give the file to hosts.\(name).cookies, and the browser's User-Agent to hosts.\(name).headers, in "
            + "facefetchd.yaml(5). After a reload: facefetch hosts --release \(name)"
    }

    /// Returns the sentence for a code, and for a status of HTTP.
    static func sentence(_ code: String) -> String {
        switch code {
        case "http_404", "http_410":
            "The server has no such file (any more): look whether the address is right; facefetch retry --url gives it another."
        case "http_401", "http_403":
            "The server wants to know who asks, or the address has expired: facefetch retry --url gives it a new one; header fields are given when a file is added."
        case "http_429", "http_503":
            "The server has asked for fewer requests: try again later, with fewer at once (transfer.per-host)."
        case "paced":
            "Its turn at a host with a pace (transfer.pace, hosts) didn't come in time: raise the pace, then retry."
        case "challenge":
            "Its host asks for a browser: give it a browser's cookies (hosts.NAME.cookies in facefetchd.yaml(5)), then retry."
        case "unexpected_content_type":
            "It isn't the address of a picture, but of a page with one perhaps: add the address of the picture itself, or extend transfer.accept."
        case "unresolved_host":
            "There is no such host, or its name can't be looked up: look whether the address is right."
        case "connect_failed", "connection_lost", "timed_out", "stalled", "truncated":
            "The server didn't answer, or not to the end: look whether a browser gets it, and try again later."
        case "empty":
            "The server has nothing under this address but an empty file: look whether a browser gets more, and try again later."
        case "incomplete_coding":
            "The server compresses the file, and its end never came: try again later; if that stays so, its operator has to mend it."
        case "tls_failed", "bad_certificate":
            "The server's certificate isn't trusted: look whether the address and this machine's clock are right."
        case "too_many_redirects", "refused_redirect":
            "The server redirects too often, or to where the daemon doesn't go: open the address in a browser, and add the one where that ends."
        case "refused_scheme":
            "The settings don't allow http: addresses (transfer.insecure-http): add it with https:."
        case "denied_network":
            "This address lies in a network that the daemon doesn't ask: the settings can allow it."
        case "refused_by_robots":
            "Its site reserves it from machine learning, and the settings respect that (transfer.respect-noai): ask its owner, or leave it."
        case "too_large":
            "The settings limit the size of files (transfer.maximum-size): raise that, then retry."
        case "too_large_for_disk", "disk_full": "Make room on the disk, then retry."
        case "checksum_mismatch":
            "The server has other bytes than were expected: look whether the checksum is right, then retry."
        case "bad_folder":
            "A file or a link has the place of its folder: move that away, then retry."
        case "storage_lost", "storage_error":
            "Look whether the directories of documents and of unfinished files are there and can be written, then retry."
        case "out_of_resources":
            "The machine has too little memory, or too few open files: retry when it has more."
        case "no_source", "source_unusable":
            "Apply the recipe of its source again (facefetch source apply), or mend the source's secret, then retry."
        case "protocol_error": "The server's answer makes no sense: its operator has to mend it."
        case _ where code.hasPrefix("http_5"):
            "The server has a fault of its own: try again later; if that stays so, its operator has to mend it."
        case _ where code.hasPrefix("http_4"):
            "The server refuses it: look whether a browser gets it, and whether it needs header fields (add --header)."
        default: "facefetch retry tries it again."
        }
    }
}
