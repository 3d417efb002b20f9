/// Actions on one job or on all.
///
/// The raw values are the words of the API: the last component of the path to post to.
public enum JobAction: String, CaseIterable, Sendable {
    /// Pause the job, keeping what has been fetched.
    case pause
    /// Let the job continue.
    case resume
    /// End the job and remove what has been fetched; a published document stays.
    case cancel
    /// Try again now, from another URL if the body names one.
    case retry
    /// Look for faces again, with another engine if the body names one.
    case detect
    /// Keep the document however long ago it was served.
    case pin
    /// Let the document be removed to make room, if its source says so.
    case unpin
}
