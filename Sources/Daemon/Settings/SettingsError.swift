/// All errors in the settings, not only the first one.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An error in the settings.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The place of the error: `FILE:LINE`, a variable or a flag.
        public var place: String
        /// The key, if the error is about one.
        public var key: String?
        /// The problem, and what was expected.
        public var message: String

        /// The error as a line for people.
        public var description: String {
            [place, key, message].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    /// The errors in the order of the file.
    public var problems: [Problem]

    /// The errors, one per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
