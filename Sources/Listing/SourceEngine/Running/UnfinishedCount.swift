/// The number of a source's jobs that are queued or downloading, as far as it has to be known.
///
/// Counting reads each of them, which before each page of a very long list would cost the square of its
/// length. What was counted and has been added since is a bound as good while it is far from `ahead`, so
/// that they are counted anew when half of the room that was left is used. Only jobs that wait for a retry
/// can make it more than that.
struct UnfinishedCount {
    private var counted: Int?
    private var added = 0

    /// The bound; 0 where nothing has been counted.
    var atMost: Int { (counted ?? 0) + added }

    /// Returns whether they have to be counted before another page is read.
    ///
    /// - Parameter ahead: The number that there may be.
    func isDue(ahead: Int) -> Bool {
        guard let counted else { return true }
        return added >= (ahead - counted) / 2
    }

    mutating func count(_ number: Int) { (counted, added) = (number, 0) }

    mutating func add(_ number: Int) { added += number }

    /// Forgets what was counted, since time has gone by.
    mutating func forget() { self = UnfinishedCount() }
}
