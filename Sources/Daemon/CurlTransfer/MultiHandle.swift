import CCurl

/// A multi handle of libcurl, which one thread uses and others wake.
enum MultiHandle {
    /// The reason why there is none, with what to do.
    static let lack =
        "it finds no memory or no file descriptor; end other programs, or raise LimitNOFILE= of the daemon's unit"

    /// Creates a handle that can be woken; nil if there is no memory for it, or no descriptor.
    static func create() -> UnsafeMutableRawPointer? {
        guard let multi = curl_multi_init() else { return nil }
        // libcurl says nothing of a lack of descriptors to wake it by, and the thread would sleep for an hour. This wakes
        // it once for nothing.
        guard curl_multi_wakeup(multi) == CURLM_OK else {
            curl_multi_cleanup(multi)
            return nil
        }
        return multi
    }

    /// Wakes the thread that waits for a handle, given as a number; nil while there is none.
    ///
    /// Nothing else may be called with it by other threads.
    static func wake(_ address: UInt?) {
        guard let address, let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
        // Whether it can be woken was tried when it was created, and one that was woken already stays so.
        _ = curl_multi_wakeup(multi)
    }
}
