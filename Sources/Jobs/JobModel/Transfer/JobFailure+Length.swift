extension JobFailure {
    /// Returns the failure for a file, or the received part of one, that is larger than the policy's
    /// maximum; both lengths are in bytes.
    public static func tooLarge(_ length: Int64, maximum: Int64) -> JobFailure {
        JobFailure(
            .tooLarge,
            "the file is at least \(length) bytes long, and the limit is \(maximum) (transfer.maximum-size)"
        )
    }
}
