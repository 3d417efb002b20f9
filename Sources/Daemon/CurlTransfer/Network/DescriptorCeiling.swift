import Glibc

/// The number from which on a descriptor is for others: fetching takes none of the last ones that the
/// process may have.
///
/// The kernel gives the lowest number that is free, so one beyond this says that all below are in use.
struct DescriptorCeiling: Sendable {
    /// Returns the number; it is asked each time, since an administrator may change the limit (prlimit(1)).
    let number: @Sendable () -> Int

    /// Returns a descriptor if it may be kept; otherwise closes it, and returns -1 with EMFILE in errno.
    func admit(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0, Int(descriptor) >= number() else { return descriptor }
        close(descriptor)
        errno = EMFILE
        return -1
    }

    /// Returns the error of opening a file now, 0 if that works.
    func errorOfOpening() -> Int32 {
        let file = admit(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard file >= 0 else { return errno }
        close(file)
        return 0
    }
}
