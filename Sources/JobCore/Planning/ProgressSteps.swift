/// The lines of progress that the event log still needs.
///
/// Ten steps of ten percent, each once per download, in order; nothing twice
/// after a resume or a restart. Files of unknown length get lines by bytes.
public enum ProgressSteps {
    /// The steps, in tenths, that `bytes` of `total` reach beyond `logged`.
    public static func reached(bytes: Int64, total: Int64, logged: Int) -> ClosedRange<Int>? {
        var step = logged
        while step < 10, bytes >= tenths(step + 1, of: total) { step += 1 }
        return step > logged ? (logged + 1)...step : nil
    }

    /// Whether a file of unknown length deserves another line: after the
    /// first MiB, then with each doubling, later with every 64 MiB.
    public static func deservesLine(bytes: Int64, logged: Int64) -> Bool {
        let mebibyte: Int64 = 1 << 20
        return bytes - logged >= min(max(logged, mebibyte), 64 * mebibyte)
    }

    /// Bytes that make `step` tenths of `total`, rounded up, without overflow.
    private static func tenths(_ step: Int, of total: Int64) -> Int64 {
        let (whole, rest) = total.quotientAndRemainder(dividingBy: 10)
        return whole * Int64(step) + (rest * Int64(step) + 9) / 10
    }
}
