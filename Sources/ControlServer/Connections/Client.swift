/// The user of a connection, determined once when it is made.
struct Client: Hashable, Sendable {
    /// The user id; nil if the kernel can't tell.
    var user: UInt32?
    /// What the user is allowed to do.
    var right: Access.Right
    /// Whether the user has too many connections, so that this one only gets an answer saying so.
    var isCrowded = false
}
