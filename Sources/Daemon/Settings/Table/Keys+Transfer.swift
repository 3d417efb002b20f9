import ControlAPI
import Vocabulary

/// The settings of downloads.
extension Keys {
    /// The rows in the order of the table.
    static let transfer = [
        concurrency.row, perHost.row, streams.row, pace.row, segments.row, rateLimit.row, timetable.row,
        timeZone.row,
        onMetered.row, maximumSize.row, redirects.row, connectTimeout.row, stallSpeed.row, stallTime.row,
        tries.row, giveUp.row, userAgent.row,
        authorities.row, clientCertificate.row, clientKey.row,
        insecureHTTP.row, deniedNetworks.row, privateByRedirect.row, accept.row,
        respectNoAI.row,
    ]

    static let concurrency = integer(
        "transfer.concurrency",
        1...1000,
        fallback: 16,
        "The maximum number of transfers at once; a daemon that may have few files open (LimitNOFILE= of its unit) has "
            + "fewer, and says so. Requests to hosts from which nothing comes don't count, up to 1,024. Those from a host that answers many over each connection (transfer.streams) count as "
            + "one, up to twelve times as many in all."
    )
    static let perHost = integer(
        "transfer.per-host",
        1...1000,
        fallback: 6,
        "The maximum number of transfers at once from one host, by the URLs as given, except for those that share a "
            + "connection (transfer.streams); redirects may lead elsewhere."
    )
    static let streams = integer(
        "transfer.streams",
        1...100,
        fallback: 32,
        "The most requests for small files at once over each connection to a host that answers many over one (HTTP/2). "
            + "It begins with transfer.per-host, which then is the most connections to any host (or the largest "
            + "hosts.NAME.per-host, if that is more), and goes up as long as the answers don't take longer. Further "
            + "connections are tried once one is full, and kept if clearly more arrives over them. What a host with "
            + "hosts.NAME.per-host is asked stays as that says. 1 turns this off, and so does a number that isn't above "
            + "transfer.per-host."
    )
    static let pace = requestPace(
        "transfer.pace",
        "The most requests for files begun at one host in a length of time, such as 2/s or 60/min; none "
            + "for as many as there are. Pages of sources go by the pace of their recipe. As many as a second allows may begin at once, and one in any case. A redirect "
            + "counts at the host that it leads to, and each range of a large file by itself."
    )
    static let segments = integer(
        "transfer.segments",
        1...16,
        fallback: 4,
        "How many ranges of one file to fetch at once: of one over 32 MiB where one alone is slower than 100 MB/s, and "
            + "of a smaller one that would take five seconds more, while fewer files than that are under way; 1 turns "
            + "this off."
    )
    static let rateLimit = size(
        "transfer.rate-limit",
        0...1 << 50,
        unit: "bytes a second",
        fallback: "0",
        "The maximum speed of all transfers together; 0 for no limit."
    )
    static let timetable = SettingKey<[DaemonSettings.TimetableEntry]>(
        name: "transfer.timetable",
        type: "text",
        fallback: "",
        meaning:
            "What is allowed from which time on, such as Mon-Fri 08:00 1M; 18:00 off; Sat,Sun 00:00 pause: a rate "
            + "for all transfers together, off (no limit but transfer.rate-limit, which holds throughout), or pause "
            + "(what is being downloaded stops, and goes on from there later). Each entry holds until the next one's "
            + "time. One without days is for those of the entry before it; the first, for every day. Times are those "
            + "that clocks show: what would begin in an hour that they skip begins after it, and an hour that they "
            + "show twice holds twice. Empty for no timetable.",
        expected: "entries such as \"Mon-Fri 08:00 1M; 18:00 off; Sat,Sun 00:00 pause\"",
        objection: { raw in
            do throws(TimetableText.Wrong) {
                _ = try TimetableText.parse(raw.lines)
                return nil
            } catch {
                return error.words
            }
        }
    ) { raw in try? TimetableText.parse(raw.lines) }
    static let timeZone = SettingKey<String?>(
        name: "transfer.time-zone",
        type: "text",
        fallback: "",
        meaning: "The time zone of transfer.timetable, such as Europe/Vienna; empty for the machine's.",
        expected: "a time zone that the machine knows (timedatectl list-timezones; package tzdata)"
    ) { raw in
        guard let zone = raw.text, !zone.isEmpty else { return .some(nil) }
        return TimeZoneFile.bytes(of: zone) == nil ? nil : .some(zone)
    }
    static let onMetered = word(
        "transfer.on-metered",
        DaemonSettings.OnMetered.self,
        fallback: .allow,
        "Whether to download over connections that are paid for by volume, such as a telephone's: allow, or hold "
            + "until there is another. NetworkManager knows; without it no connection counts as metered."
    )
    static let maximumSize = size(
        "transfer.maximum-size",
        0...1 << 50,
        unit: "bytes",
        fallback: "4 GiB",
        "The largest file to fetch; a larger one fails with too_large. 0 for no limit."
    )
    static let redirects = integer(
        "transfer.redirects",
        0...100,
        fallback: 10,
        "How many redirects to follow for one file; only those to http and https are followed."
    )
    static let connectTimeout = duration(
        "transfer.connect-timeout",
        1...600,
        fallback: "30 s",
        "How long name lookup, connecting and TLS may take together."
    )
    static let stallSpeed = size(
        "transfer.stall-speed",
        1...1 << 40,
        unit: "bytes a second",
        fallback: "1 KiB",
        "A transfer slower than this is stalled: it is cut off, makes way for another, and is tried again later."
    )
    static let stallTime = duration(
        "transfer.stall-time",
        1...3600,
        fallback: "60 s",
        "How long a transfer may be that slow, and how long a server may take to answer."
    )
    static let tries = integer(
        "transfer.tries",
        1...100_000,
        fallback: 20,
        "How many tries in a row may bring nothing new before a download is given up; tries don't count while "
            + "the machine has no default route."
    )
    static let giveUp = duration(
        "transfer.give-up",
        1...31_536_000,
        fallback: "7 d",
        "How long tries may bring nothing new before a download is given up."
    )
    static let userAgent = SettingKey<String>(
        name: "transfer.user-agent",
        type: "text",
        fallback: "facefetch/\(ProductVersion.current) (background image downloader for Linux)",
        meaning: "The User-Agent header field. Some hosts refuse clients that don't say who they are; "
            + "it is good manners to give a web or mail address here.",
        expected: "1 to 256 printable ASCII characters"
    ) { raw in
        guard let text = raw.text, (1...256).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return text
    }
    static let authorities = path(
        "transfer.ca-file",
        fallback: "",
        "A PEM file of certificate authorities to trust besides the system's, such as one of your own network: for "
            + "files, pages of sources and the webhook. The service reads it from /etc/facefetch, for example.",
        needsRestart: false
    )
    static let clientCertificate = path(
        "transfer.client-certificate",
        fallback: "",
        "A PEM file with the certificate to show to https servers that ask for one, whoever they are, and behind it "
            + "those that vouch for it.",
        needsRestart: false
    )
    static let clientKey = path(
        "transfer.client-key",
        fallback: "",
        "A PEM file with the key of transfer.client-certificate, without a passphrase, which others must not be able "
            + "to read; empty where it is in the certificate's file.",
        needsRestart: false
    )
    static let insecureHTTP = word(
        "transfer.insecure-http",
        PlainHTTP.self,
        fallback: .allow,
        "What to do with http: URLs: allow fetches them, upgrade fetches them as https:, refuse fails them."
    )
    static let deniedNetworks = SettingKey<[String]>(
        name: "transfer.denied-networks",
        type: "list",
        fallback: "169.254.0.0/16, fe80::/10, fd00:ec2::254/128, fd00:ec2::23/128, fd20:ce::254/128, "
            + "fd00:c1::a9fe:a9fe/128, 168.63.129.16/32, 100.100.100.200/32",
        meaning:
            "Networks that are never connected to, not even by a redirect. The defaults are the link-local "
            + "networks and the other addresses where clouds keep credentials.",
        expected: "a list of networks such as 10.0.0.0/8 or fe80::/10"
    ) { raw in
        let networks = raw.items.map(Network.canonical)
        return networks.contains(nil) ? nil : networks.compactMap { $0 }
    }
    static let privateByRedirect = word(
        "transfer.private-by-redirect",
        PrivateByRedirect.self,
        fallback: .refuse,
        "Whether a server at a public address may redirect to a private one, such as one of a local network. "
            + "Behind a proxy every name counts as public, and only an address in a URL as private."
    )
    static let accept = SettingKey<[String]>(
        name: "transfer.accept",
        type: "list",
        fallback: "image/*, application/octet-stream, binary/octet-stream, none",
        meaning: "Content types that are accepted as documents; none stands for a response without one. "
            + "Anything else, such as a login page, fails with unexpected_content_type, unless its first bytes are "
            + "those of a picture of one of these types. "
            + "Requests name these types as preferred (Accept).",
        expected: "a list of media types such as image/* or image/png, or none"
    ) { raw in
        let types = raw.items.map { $0.lowercased() }
        return !types.isEmpty && types.allSatisfy(MediaRange.isValid) ? types : nil
    }
    static let respectNoAI = flag(
        "transfer.respect-noai",
        fallback: false,
        "Whether files are refused (refused_by_robots) that their servers reserve from machine learning: with noai, "
            + "noimageai or noml in the X-Robots-Tag field, for all robots or for facefetch. img2dataset does so by "
            + "default, and also refuses noindex and noimageindex. What a server said is shown in either case."
    )
}
