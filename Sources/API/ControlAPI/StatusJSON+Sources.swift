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

        /// Creates a summary by counting states.
        public init(counting count: (SourceCondition) -> Int) {
            (reading, held, idle) = (count(.reading), count(.held), count(.idle))
            (waiting, failed) = (count(.waiting), count(.failed))
            (paused, ended) = (count(.paused), count(.ended))
        }

        public static let shape = Shape<Sources>("StatusSources", CodingKeys.self) {
            $0.member(.reading, \.reading, .count)
            $0.member(.held, \.held, .count)
            $0.member(.idle, \.idle, .count)
            $0.member(.waiting, \.waiting, .count)
            $0.member(.failed, \.failed, .count)
            $0.member(.paused, \.paused, .count)
            $0.member(.ended, \.ended, .count)
        }

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
