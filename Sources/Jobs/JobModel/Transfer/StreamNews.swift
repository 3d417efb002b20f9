/// News of a request to a host that may answer many over one connection (HTTP/2).
public enum StreamNews: Hashable, Sendable {
    /// A small file came over a connection that others share, one of so many that there are; its answer began after
    /// so many milliseconds, and it was whole after so many, at a time on a clock that only goes forward.
    case served(milliseconds: Int64, whole: Int64, connections: Int = 1, at: Int64 = 0)
    /// The connections that there were couldn't take the request, or had gone.
    case crowded
    /// The request was given up by the host, or with its connection, or got an error of the server's.
    case refused
    /// A file is coming that is too large to share a connection with very many.
    case large
    /// The host asks everybody to wait.
    case unwilling
    /// The file came over a connection of its own, or from another host.
    case alone
}
