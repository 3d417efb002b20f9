/// The names of error numbers that work on files ends with (errno(3); the numbers are those of x86 and ARM,
/// asm-generic/errno.h).
enum ErrorName {
    private static let names: [Int32: String] = [
        1: "EPERM", 2: "ENOENT", 4: "EINTR", 5: "EIO", 6: "ENXIO", 9: "EBADF", 11: "EAGAIN", 12: "ENOMEM",
        13: "EACCES", 16: "EBUSY", 17: "EEXIST", 18: "EXDEV", 19: "ENODEV", 20: "ENOTDIR", 21: "EISDIR",
        22: "EINVAL", 23: "ENFILE", 24: "EMFILE", 26: "ETXTBSY", 27: "EFBIG", 28: "ENOSPC", 30: "EROFS",
        31: "EMLINK", 36: "ENAMETOOLONG", 38: "ENOSYS", 39: "ENOTEMPTY", 40: "ELOOP", 75: "EOVERFLOW",
        84: "EILSEQ", 95: "EOPNOTSUPP", 105: "ENOBUFS", 107: "ENOTCONN", 110: "ETIMEDOUT", 112: "EHOSTDOWN",
        116: "ESTALE", 117: "EUCLEAN", 121: "EREMOTEIO", 122: "EDQUOT",
    ]

    /// Returns the name of a number; others have the number itself.
    static func of(_ number: Int32) -> String { names[number] ?? "errno \(number)" }
}
