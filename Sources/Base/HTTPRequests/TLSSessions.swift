import CCurl

/// TLS sessions that several handles have in common, so that further connections can do without a part of the handshake.
///
/// libcurl keeps eight of them (7.88), or a few more. Not Sendable: one thread at a time uses it and its handles.
public final class TLSSessions {
    let share: UnsafeMutableRawPointer

    /// Nil when libcurl has no memory for it.
    public init?() {
        guard let share = curl_share_init() else { return nil }
        guard CCurl_share_data(share, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else {
            curl_share_cleanup(share)
            return nil
        }
        self.share = share
    }

    deinit { curl_share_cleanup(share) }
}
