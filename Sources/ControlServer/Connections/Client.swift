/// Who uses a connection, found out once, when it is made.
struct Client: Hashable, Sendable {
    /// The user; nil where the kernel can't tell.
    var user: UInt32?
    /// What the user may do.
    var right: Access.Right
    /// Whether the user holds nearly as many connections as a user may: this one is told so.
    var isCrowded = false
}
