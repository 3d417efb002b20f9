/// All mistakes in the settings, not only the first.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One wrong thing.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Where it stands: `FILE:LINE`, a variable or a flag.
        public var place: String
        /// The key, where it is about one.
        public var key: String?
        /// What is wrong and what was expected.
        public var message: String

        /// One line for people.
        public var description: String {
            [place, key, message].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    /// The wrong things, in the order of the file.
    public var problems: [Problem]

    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
