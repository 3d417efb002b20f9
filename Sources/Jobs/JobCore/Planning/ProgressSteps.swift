/// Decides which progress lines the event log needs.
///
/// There are ten steps of ten percent, each logged once per download and in order, and not repeated
/// after a resume or a restart. Files of unknown length get lines by bytes.
public enum ProgressSteps {
    /// Returns the steps of ten percent that `bytes` of `total` reach beyond step `logged`; nil if there
    /// are none.
    public static func reached(bytes: Int64, total: Int64, logged: Int) -> ClosedRange<Int>? {
        var step = logged
        while step < 10, bytes >= tenths(step + 1, of: total) { step += 1 }
        return step > logged ? (logged + 1)...step : nil
    }

    /// Returns whether a file of unknown length deserves another line: after the first MiB, then at each
    /// doubling, and later every 64 MiB.
    public static func deservesLine(bytes: Int64, logged: Int64) -> Bool {
        let mebibyte: Int64 = 1 << 20
        return bytes - logged >= min(max(logged, mebibyte), 64 * mebibyte)
    }

    /// Returns `step` tenths of `total`, rounded up, without overflow.
    private static func tenths(_ step: Int, of total: Int64) -> Int64 {
        let (whole, rest) = total.quotientAndRemainder(dividingBy: 10)
        return whole * Int64(step) + (rest * Int64(step) + 9) / 10
    }
}
