/// The user of a connection, determined once when it is made.
struct Client: Hashable, Sendable {
    /// The user id; nil if the kernel can't tell.
    var user: UInt32?
    /// The user's right.
    var right: Access.Right
    /// True if the user has too many connections, so that this one only gets an answer saying so.
    var isCrowded = false
}
