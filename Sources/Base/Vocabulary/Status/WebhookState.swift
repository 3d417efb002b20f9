/// The state of a webhook.
///
/// The raw values are the words of the API.
public enum WebhookState: String, CaseIterable, Sendable {
    /// There is none.
    case off
    /// Endings are delivered.
    case delivering
    /// The receiver has not taken something; it is tried again.
    case waiting
    /// The receiver wants no more (410).
    case stopped
}
