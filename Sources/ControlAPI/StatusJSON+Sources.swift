import Vocabulary

extension StatusJSON {
    /// The number of sources in each state.
    public struct Sources: APIObject {
        /// The sources that ask for pages.
        public var reading: Int
        /// The sources that have read far enough ahead.
        public var held: Int
        /// The sources that wait for their next walk.
        public var idle: Int
        /// The sources that will ask again for a page that failed.
        public var waiting: Int
        /// The sources of which something has to be mended by a person.
        public var failed: Int
        /// The paused sources.
        public var paused: Int
        /// The sources that look again only when asked to.
        public var ended: Int

        enum CodingKeys: String, CodingKey {
            case reading, held, idle, waiting, failed, paused, ended
        }

        /// Creates a summary by counting states.
        public init(counting count: (SourceCondition) -> Int) {
            (reading, held, idle) = (count(.reading), count(.held), count(.idle))
            (waiting, failed) = (count(.waiting), count(.failed))
            (paused, ended) = (count(.paused), count(.ended))
        }

        /// The members, which are always present.
        public static let shape = Shape<Sources>(
            "StatusSources",
            [
                Member(CodingKeys.reading, \.reading, .integer(from: 0)),
                Member(CodingKeys.held, \.held, .integer(from: 0)),
                Member(CodingKeys.idle, \.idle, .integer(from: 0)),
                Member(CodingKeys.waiting, \.waiting, .integer(from: 0)),
                Member(CodingKeys.failed, \.failed, .integer(from: 0)),
                Member(CodingKeys.paused, \.paused, .integer(from: 0)),
                Member(CodingKeys.ended, \.ended, .integer(from: 0)),
            ]
        )

        /// Returns the number of sources in a state.
        public subscript(state: SourceCondition) -> Int {
            switch state {
            case .reading: reading
            case .held: held
            case .idle: idle
            case .waiting: waiting
            case .failed: failed
            case .paused: paused
            case .ended: ended
            }
        }
    }
}
