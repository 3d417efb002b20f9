import CCurl
import Glibc

extension EasyHandle {
    /// The time for which a client waits.
    private static let patience = Duration.seconds(1)
    /// The time between two tries, in microseconds.
    private static let pause: UInt32 = 20_000

    /// Performs a request to a socket, and waits a second where so many are connecting that it has no room for another.
    ///
    /// libcurl gives up at once. A connection that it is handed ready (CURL_SOCKOPT_ALREADY_CONNECTED) it connects once
    /// more in 7.88, and fails.
    public func performPatiently() -> CURLcode {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let code = curl_easy_perform(easy)
            guard hadNoRoom(code), .now < deadline else { return code }
            usleep(Self.pause)
        }
    }

    /// Returns whether a result means that the socket had no room (EAGAIN, unix(7)), which 7.88 tells without a number.
    private func hadNoRoom(_ code: CURLcode) -> Bool {
        guard code == CURLE_COULDNT_CONNECT else { return false }
        var number = 0
        CCurl_easy_getinfo_long(easy, CURLINFO_OS_ERRNO, &number)
        return number == 0 || number == Int(EAGAIN)
    }
}
